import {
  LET_BUY,
  RETURN_KINDS,
  RETURN_LIMITS,
  RETURNS_KEPT_DAYS,
  type ReturnKind,
} from '@hedgerow/domain/returned-purchases'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { RefundReason } from '#platform/database/tables/payments.table.ts'

/** Refunds that a customer can bring about alone, as often as they buy. */
const BY_CUSTOMER: readonly RefundReason[] = ['cancelled', 'paid-twice', 'account-erased']

/** Counts a purchase whose money goes back, by the account, the card and the network that bought it. */
export const noteReturned = async (trx: Trx, paymentId: string, reason: RefundReason): Promise<void> => {
  if (!BY_CUSTOMER.includes(reason)) return
  await sql`
    insert into returned_purchases (kind, key, payment_id)
    select kind, key, payments.id from payments cross join lateral (values
      ('account', uuid_send(customer_id)), ('card', card_hash), ('network', network_hash)) as bought (kind, key)
    where payments.id = ${paymentId} and key is not null
    on conflict do nothing`.execute(trx)
}

/** What a purchase is bought with. The network is left out where too many people share it. */
export type BoughtWith = {
  customerId: string
  cardHash?: Buffer | undefined
  networkHash?: Buffer | undefined
}

/** Of the account: it has bought something within a day, or is about to. A network's wait is passed once a day. */
const hasBoughtToday = (customerId: string) => sql<boolean>`exists (
  select from payments where customer_id = ${customerId}::uuid and created_at > now() - interval '1 day'
    and status not in ('Decline', 'Error'))`

/**
 * What has had too many purchases go back, and until when it has to wait; the longest wait, or undefined. Where an operator
 * let the account buy, nothing counts for it that went back before, also of a card or network that others share.
 */
export const findReturnsPause = async (
  db: Db,
  { customerId, cardHash, networkHash }: BoughtWith,
  scale: number,
) => {
  const most = RETURN_KINDS.map((kind) => Math.ceil(RETURN_LIMITS[kind].most * scale))
  const days = RETURN_KINDS.map((kind) => RETURN_LIMITS[kind].days)
  const { rows } = await sql<{ kind: ReturnKind; until: Date; seconds: number }>`
    with let_buy as (
      select coalesce(max(returned_at), '-infinity') as at from returned_purchases
      where kind = 'account' and key = uuid_send(${customerId}::uuid) and payment_id = ${LET_BUY}
    ),
    pause as (
      select counted.kind, latest.returned_at + make_interval(days => counted.days) as until
      from unnest(${[...RETURN_KINDS]}::text[], ${most}::integer[], ${days}::integer[]) as counted (kind, most, days)
      join (values ('account', uuid_send(${customerId}::uuid)), ('card', ${cardHash ?? null}::bytea),
        ('network', ${networkHash ?? null}::bytea)) as bought (kind, key) using (kind)
      cross join lateral (
        select returned_at from returned_purchases
        where kind = counted.kind and key = bought.key and payment_id <> ${LET_BUY}
          and returned_at > (select at from let_buy)
        order by returned_at desc offset counted.most - 1 limit 1
      ) as latest
    )
    select kind, until, extract(epoch from until - now())::float8 as seconds
    from pause where until > now() and (kind <> 'network' or ${hasBoughtToday(customerId)})
    order by until desc limit 1`.execute(db)
  return rows[0]
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
