import { SETTLED_AFTER_DAYS } from '@hedgerow/domain/cancellations'
import {
  KEPT_DAYS,
  LET_BUY,
  MOST_OPEN,
  RETURN_KINDS,
  RETURN_LIMITS,
  RETURNS_KEPT_DAYS,
  type ReturnKind,
} from '@hedgerow/domain/returned-purchases'
import { sql } from 'kysely'
import { IS_CANCELLABLE } from '#network/connections/cancellable.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { RefundReason } from '#platform/database/tables/payments.table.ts'
import { type BoughtPayment, measureUse } from '#sales/renewals/change-ends.ts'

/** Refunds that a customer can bring about alone, as often as they buy. */
const BY_CUSTOMER: readonly RefundReason[] = ['cancelled', 'paid-twice', 'account-erased']

/** Counts a purchase whose money goes back, by the account, the card and the network that bought it. */
export const noteReturned = async (trx: Trx, paymentId: string, reason: RefundReason): Promise<void> => {
  if (!BY_CUSTOMER.includes(reason)) return
  await sql`
    insert into returned_purchases (kind, key, payment_id, times)
    select kind, key, payments.id, times from payments cross join lateral (
      values ('account', uuid_send(customer_id), 1), ('card', card_hash, 1)
      union all select 'network', decode(one ->> 'key', 'hex'), (one ->> 'times')::smallint
        from jsonb_array_elements(networks) as one
    ) as bought (kind, key, times)
    where payments.id = ${paymentId} and key is not null
    on conflict do nothing`.execute(trx)
}

/** A network around a purchase: its keyed hash in hex, and how many times as many as one line it may have go back. */
export type CountedNetwork = { key: string; times: number }

/** What a purchase is bought with. There are no networks where too many people share them. */
export type BoughtWith = {
  customerId: string
  cardHash?: Buffer | undefined
  /** A test card, which strangers use as well. */
  isCardShared?: boolean
  networks: readonly CountedNetwork[]
}

/** Of the account: it has bought something within a day, or is about to. A network's wait is passed once a day. */
const hasBoughtToday = (customerId: string) => sql<boolean>`exists (
  select from payments where customer_id = ${customerId}::uuid and created_at > now() - interval '1 day'
    and status not in ('Decline', 'Error'))`

/** Since when an operator lets the account buy. */
const LET_BUY_AT = (customerId: string) => sql`(
  select coalesce(max(returned_at), '-infinity') from returned_purchases
  where kind = 'account' and key = uuid_send(${customerId}::uuid) and payment_id = ${LET_BUY})`

export type ReturnsPause = { kind: ReturnKind; until: Date; seconds: number }

/**
 * What has had too many purchases go back, and until when it has to wait; the longest wait, or undefined. Where an operator
 * let the account buy, nothing counts for it that went back before, also of a card or network that others share.
 */
export const findReturnsPause = async (
  db: Db,
  { customerId, cardHash, networks }: BoughtWith,
  scale: number,
): Promise<ReturnsPause | undefined> => {
  const most = RETURN_KINDS.map((kind) => Math.ceil(RETURN_LIMITS[kind].most * scale))
  const days = RETURN_KINDS.map((kind) => RETURN_LIMITS[kind].days)
  const { rows } = await sql<ReturnsPause>`
    with pause as (
      select counted.kind, latest.returned_at + make_interval(days => counted.days) as until
      from unnest(${[...RETURN_KINDS]}::text[], ${most}::integer[], ${days}::integer[]) as counted (kind, most, days)
      join (
        values ('account', uuid_send(${customerId}::uuid), 1), ('card', ${cardHash ?? null}::bytea, 1)
        union all select 'network', decode(key, 'hex'), times
          from unnest(${networks.map(({ key }) => key)}::text[], ${networks.map(({ times }) => times)}::integer[]) as one (key, times)
      ) as bought (kind, key, times) using (kind)
      cross join lateral (
        select returned_at from returned_purchases
        where kind = counted.kind and key = bought.key and payment_id <> ${LET_BUY}
          and returned_at > ${LET_BUY_AT(customerId)}
        order by returned_at desc offset counted.most * bought.times - 1 limit 1
      ) as latest
    )
    select kind, until, extract(epoch from until - now())::float8 as seconds
    from pause where until > now() and (kind <> 'network' or ${hasBoughtToday(customerId)})
    order by until desc limit 1`.execute(db)
  return rows[0]
}

/** Can no longer be taken back, and was not: what speaks for an account, as a stolen card is claimed back by then. */
const IS_KEPT = sql`status = 'Success' and delivered_at is not null and cancelled_at is null and not refund_due
  and refunded_minor = 0 and disputed_minor = 0 and ended_by_dispute_at is null
  and ended_at <= now() - make_interval(days => ${sql.lit(SETTLED_AFTER_DAYS)})`

export const hasKeptPurchase = async (db: Db, customerId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from payments where customer_id = ${customerId}::uuid and ${IS_KEPT} limit 1`.execute(db)
  return rows.length > 0
}

type Counted = ReturnsPause & { now: Date; kept: number } & ({ id: null } | BoughtPayment)

/** So many of the latest purchases are looked at, most of which may be used up. */
const LOOKED_AT = 200

/** The same for what went back together with what still can; what is used up cannot. */
export const findOpenPause = async (
  db: Db,
  { customerId, cardHash, isCardShared = false }: BoughtWith,
  scale: number,
): Promise<ReturnsPause | undefined> => {
  const card = (isCardShared ? undefined : cardHash) ?? null
  const { rows } = await sql<Counted>`
    with bought as (
      select kind, key from (values ('account', uuid_send(${customerId}::uuid)), ('card', ${card}::bytea))
        as bought (kind, key)
    ),
    counted as (
      select kind, returned_at as at, ${RETURN_LIMITS.account.days}::integer as days, null as id
      from returned_purchases join bought using (kind, key) where payment_id <> ${LET_BUY}
      union all
      select kind, ended_at, ${SETTLED_AFTER_DAYS}, payments.id from payments, bought
      where (customer_id = ${customerId} or card_hash = ${card}::bytea) and ${IS_CANCELLABLE}
        and case kind when 'account' then customer_id = ${customerId} else card_hash = key end
    )
    select kind, until, extract(epoch from until - now())::float8 as seconds, now() as now, counted.id,
      orders.days, orders.connections, payments.delivered_at,
      (select count(*)::integer from payments where customer_id = ${customerId} and ${IS_KEPT}
        and ended_at > now() - make_interval(days => ${KEPT_DAYS})) as kept
    from counted cross join lateral (select at + make_interval(days => counted.days) as until) as ending
    left join payments on payments.id = counted.id left join orders on orders.id = payments.order_id
    where until > now() and at > ${LET_BUY_AT(customerId)}
    order by until desc limit ${LOOKED_AT}`.execute(db)
  const most = Math.ceil(MOST_OPEN * scale) + (rows[0]?.kept ?? 0)
  for (const ofKind of Map.groupBy(rows, ({ kind }) => kind).values()) {
    if (ofKind.length < most) continue
    let standing = 0
    for (const { now, kept: _, ...row } of ofKind) {
      if (row.id !== null) {
        const { used, bought } = await measureUse(db, row, now)
        if (used >= bought) continue
      }
      standing++
      if (standing === most) return row
    }
  }
  return undefined
}

/** The account goes, and with it what was counted by it; its card and network are hashes that lead to no one. */
export const forgetReturnsOf = async (db: Db, customerId: string): Promise<void> => {
  await sql`delete from returned_purchases where kind = 'account' and key = uuid_send(${customerId}::uuid)`.execute(
    db,
  )
}

/**
 * Lets the customer buy again at once, whatever they buy with; what they cancelled themselves counts for no one else either.
 * To be called in a transaction.
 */
export const letBuy = async (trx: Trx, customerId: string): Promise<void> => {
  await sql`
    delete from returned_purchases where payment_id <> ${LET_BUY} and payment_id in (
      select payment_id from returned_purchases where kind = 'account' and key = uuid_send(${customerId}::uuid))`.execute(
    trx,
  )
  await sql`
    insert into returned_purchases (kind, key, payment_id)
    values ('account', uuid_send(${customerId}::uuid), ${LET_BUY})
    on conflict (kind, key, payment_id) do update set returned_at = excluded.returned_at`.execute(trx)
}

export const deleteOldReturns = (db: Db) =>
  deleteDue(db, 'returned_purchases', sql`returned_at < now() - make_interval(days => ${RETURNS_KEPT_DAYS})`)
