import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import { createTotals } from '#metrics/settled-totals.ts'
import { REFUSED_FOR } from './matters.queries.ts'

/** Payments that ever succeeded, by the price's currency and the method. */
export const salesTotals = () =>
  createTotals(async (db, from, horizon) => {
    const { rows } = await sql<never>`
      select json_build_object('currency', currency, 'method', method) as labels, is_settled, horizon::text,
        count(*)::float8 as count, sum(amount_minor)::float8 as minor
      from (
        select currency, method, amount_minor, ended_at <= ${horizon} as is_settled, ${horizon} as horizon
        from payments where status = 'Success' and ended_at > ${from}::timestamptz
      ) as ended
      group by currency, method, is_settled, horizon`.execute(db)
    return rows
  })

/** Refunds that ever succeeded, in the currency that was charged. */
export const refundTotals = () =>
  createTotals(async (db, from, horizon) => {
    const { rows } = await sql<never>`
      select json_build_object('currency', charged_currency, 'method', method) as labels, is_settled, horizon::text,
        count(*)::float8 as count, sum(amount_minor)::float8 as minor
      from (
        select charged_currency, method, refunds.amount_minor, refunds.ended_at <= ${horizon} as is_settled,
          ${horizon} as horizon
        from refunds join payments on payments.id = payment_id
        where refunds.status = 'Success' and refunds.ended_at > ${from}::timestamptz
      ) as ended
      group by charged_currency, method, is_settled, horizon`.execute(db)
    return rows
  })

export type Waiting = { count: number; oldest_seconds: number }

/** Payments that have not ended, with the age of the oldest of each status. */
export const listLivePayments = async (db: Db) => {
  const { rows } = await sql<Waiting & { status: string }>`
    select status, count(*)::float8 as count, extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from payments where ended_at is null group by status`.execute(db)
  return rows
}

/** Paid, and nothing to show for it yet. */
export const countUndelivered = async (db: Db): Promise<Waiting | undefined> => {
  const { rows } = await sql<Waiting>`
    select count(*)::float8 as count, coalesce(extract(epoch from now() - min(ended_at)), 0)::float8 as oldest_seconds
    from payments
    where status = 'Success' and delivered_at is null and not refund_due and refunded_minor < charged_minor`.execute(
    db,
  )
  return rows[0]
}

/** Money that the operator has to send by hand, and money that should have gone back and was refused. */
export const countRefundsToDo = async (db: Db) => {
  const { rows } = await sql<Waiting & { what: 'refunds_by_hand' | 'refunds_refused' }>`
    select 'refunds_by_hand' as what, count(*)::float8 as count,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
    from refunds where status = 'Pending' and is_by_hand
    union all
    select 'refunds_refused', count(*)::float8, coalesce(extract(epoch from now() - min(ended_at)), 0)::float8
    from refunds as refused
    where status = 'Decline' and ended_at > now() - ${REFUSED_FOR}
      and not exists (
        select from refunds as later
        where later.payment_id = refused.payment_id and later.created_at > refused.created_at
      )`.execute(db)
  return rows
}

export const listRateAges = async (db: Db) => {
  const { rows } = await sql<{ currency: string; seconds: number }>`
    select currency, extract(epoch from now() - max(set_at))::float8 as seconds from rates group by currency`.execute(
    db,
  )
  return rows
}
