import {
  AWAITING_CONFIRMATION,
  PARTIALLY_PAID,
  PROMISE_DAYS,
  statusesThatWaitFor,
} from '@hedgerow/domain/payment-status'
import { LET_BUY, RETURN_KINDS, RETURN_LIMITS } from '@hedgerow/domain/returned-purchases'
import { type SqlBool, sql } from 'kysely'
import { IS_DUE_BACK, IS_REFUSED, IS_STUCK, WAITS_FOR_HAND } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'

/** A customer may take their time; the gateway may not. The alert PaymentsStuck has the same times. */
const CUSTOMERS_TIME = sql`interval '1 day'`
const GATEWAYS_TIME = sql`interval '30 minutes'`
/** What a bank has promised may take so long, and a day more; what was left for another attempt ends by itself before. */
const BANKS_TIME = sql`interval '${sql.raw(String(PROMISE_DAYS + 1))} days'`
/** What came in part, of which the gateway does not say how much, is not listed for ever. */
const PART_TOLD_FOR = sql`interval '30 days'`
/** What goes back by itself is listed for so long all the same: a gateway that sends other sums is to be looked at. */
const TOLD_FOR = sql`interval '1 day'`

/** No more attempts are taken of an account, an issuer or a network. Many tries of one order are no attack. */
const IS_PAUSED = sql`kind not in ('order', 'pass') and cardinality(payment_ids) >= most
  and tried_at > now() - make_interval(mins => minutes) and most <= (
    select count(*) from payments as past
    where past.id = any(payment_ids) and past.status not in ('Success', 'Error')
      and past.created_at > now() - make_interval(mins => minutes))`

/** So many as make the next purchase wait, the last of them within a day. */
const RETURN_LIMIT = (what: 'most' | 'days') =>
  sql`case kind ${sql.join(
    RETURN_KINDS.map((kind) => sql`when ${sql.lit(kind)} then ${sql.lit(RETURN_LIMITS[kind][what])}`),
    sql` `,
  )} end`
const RETURNED_OFTEN = sql`
  select payment_id from (
    select payment_id, kind, times, count(*) over bought as returned, max(returned_at) over bought as last_at
    from returned_purchases where payment_id <> ${sql.lit(LET_BUY)}
      and returned_at > now() - make_interval(days => ${RETURN_LIMIT('days')})
    window bought as (partition by kind, key)
  ) as counted where returned >= ${RETURN_LIMIT('most')} * times and last_at > now() - interval '1 day'`

/** What there may be to do about a payment: of which payments it holds, and since when. */
const CONDITIONS = {
  'no-room': {
    holds: sql<SqlBool>`(payments.status = 'Success' and payments.delivered_at is null
      and not payments.refund_due and payments.cancelled_at is null
      and payments.disputed_minor = 0 and payments.ended_by_dispute_at is null
      and payments.refunded_minor < payments.charged_minor)`,
    since: sql<Date>`payments.ended_at`,
  },
  stuck: {
    holds: sql<SqlBool>`(payments.ended_at is null and payments.abandoned_at is null and payments.created_at < now() -
      case when payments.gate_status = ${sql.lit(AWAITING_CONFIRMATION)} then ${BANKS_TIME}
        when payments.status in (${sql.join(statusesThatWaitFor('gateway').map(sql.lit))}) then ${GATEWAYS_TIME}
        else ${CUSTOMERS_TIME} end
      or payments.ended_at is null and payments.abandoned_at is not null and payments.created_at < now() - ${BANKS_TIME})`,
    since: sql<Date>`payments.created_at`,
  },
  // Whether a part came where the gateway does not say how much of it, only the operator can find out.
  'other-sum': {
    holds: sql<SqlBool>`((payments.received_minor is not null or payments.gate_status = ${sql.lit(PARTIALLY_PAID)})
      and payments.ended_at is not null and case when payments.received_minor is not null
        then payments.refunded_minor < payments.received_minor or payments.ended_at > now() - ${TOLD_FOR}
        else payments.status = 'Error' and payments.ended_at > now() - ${PART_TOLD_FOR} end
      or payments.over_minor is not null and payments.over_settled_at is null)`,
    since: sql<Date>`payments.ended_at`,
  },
  'invoice-failing': {
    holds: sql<SqlBool>`payments.id in (select payment_id from failing_invoices)`,
    since: sql<Date>`(select failed_at from failing_invoices where payment_id = payments.id)`,
  },
  'refund-by-hand': {
    holds: sql<SqlBool>`payments.id in (select payment_id from refunds where ${WAITS_FOR_HAND})`,
    since: sql<Date>`(select min(created_at) from refunds where payment_id = payments.id and ${WAITS_FOR_HAND})`,
  },
  'refund-refused': {
    holds: sql<SqlBool>`payments.id in (select payment_id from refunds where ${IS_REFUSED})`,
    since: sql<Date>`(select min(ended_at) from refunds where payment_id = payments.id and ${IS_REFUSED})`,
  },
  'refund-stuck': {
    holds: sql<SqlBool>`payments.id in (select payment_id from refunds where ${IS_STUCK}
      union all select payments.id from payments where ${IS_DUE_BACK})`,
    since: sql<Date>`coalesce((select min(created_at) from refunds where payment_id = payments.id and ${IS_STUCK}), payments.ended_at)`,
  },
  'card-testing': {
    holds: sql<SqlBool>`(payments.status not in ('Success', 'Error') and payments.id in (
      select unnest(payment_ids) from velocity_counts where ${IS_PAUSED}))`,
    since: sql<Date>`payments.created_at`,
  },
  'cancelled-often': {
    holds: sql<SqlBool>`payments.id in (${RETURNED_OFTEN})`,
    since: sql<Date>`payments.created_at`,
  },
} as const

export type AttentionItem = keyof typeof CONDITIONS
export const ATTENTION_ITEMS = Object.keys(CONDITIONS) as readonly AttentionItem[]

export const isAttentionItem = (attentionItem: AttentionItem) => CONDITIONS[attentionItem].holds

/** `only`: one of them. */
export type Waiting = { count: number; oldest_seconds: number; only?: string | null }

/** How many payments each holds of, and for how long of the first; asked at once, because a scrape asks for nearly all. */
export const measureAttentionItems = async <I extends AttentionItem>(
  db: Db,
  items: readonly I[],
): Promise<Readonly<Record<I, Waiting>>> => {
  const measures = items.map((item) => {
    const { holds, since } = CONDITIONS[item]
    return sql`select ${sql.lit(item)} as item, count(*)::int as count,
      coalesce(extract(epoch from now() - min(${since})), 0)::float8 as oldest_seconds, min(payments.id) as only from payments where ${holds}`
  })
  const { rows } = await sql<Waiting & { item: I }>`${sql.join(measures, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ item, ...waiting }) => [item, waiting])) as Record<I, Waiting>
}
