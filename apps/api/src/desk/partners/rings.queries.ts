import type { CurrencyCode } from '@hedgerow/domain/money'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** What ties accounts: they paid with one card, or from one network. */
export type Tie = 'card' | 'network'

/** An account of a ring with what it paid in one currency. */
export type RingRow = {
  partner_id: string
  partner_email: string
  promocode: string
  tie: Tie
  /** Names the ring for people: of a card the masked number, of a network nothing that leads to it. */
  ring: string
  /** The same secret for all of a ring, not to be shown. */
  key: string
  /** The account's id, or what stands for one that is deleted. */
  account: string
  /** Null of an account that is deleted. */
  email: string | null
  /** Of the partner themselves: what they paid credits nobody here. */
  is_partner: boolean
  currency: CurrencyCode
  payments: number
  paid_minor: number
  /** What the partner earned of that, less what was taken back. */
  earned_minor: number
  /** How many of the payments earned nothing, by the rules (decision 029). */
  uncredited: number
}

/** What a payment says of who made it. A card that was typed at the gateway is told by its mask and its holder's name. */
const TIES = sql`(values
  ('card', coalesce(encode(card_hash, 'hex'), pan_masked || ' ' || lower(card_holder)), pan_masked),
  ('network', encode(network_hash, 'hex'), left(encode(network_hash, 'hex'), 8))
) as told (tie, secret, ring)`

/**
 * Accounts that credit one partner, or are the partner's, and are tied; the rings that paid most come first. With a partner
 * only theirs. An account that was deleted counts, without a name, until its payments' earnings have matured.
 */
export const listRingRows = async (
  db: Db,
  { partnerId = null, limit }: { partnerId?: string | null; limit: number },
): Promise<RingRow[]> => {
  const { rows } = await sql<RingRow>`
    with crediting as (
      select partner_id as for_partner, coalesce(customer_id, erased_account) as account, payments.* from payments
      where partner_id is not null and coalesce(customer_id, erased_account) is not null and status = 'Success'
        and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)
    ),
    concerned as (
      select * from crediting
      union all
      select customer_id, customer_id, payments.* from payments
      where customer_id in (select for_partner from crediting) and status in ('Success', 'Decline')
    ),
    told as (
      select concerned.*, tie, secret, ring from concerned cross join lateral ${TIES} where secret is not null
    ),
    ring as (
      select for_partner, tie, secret, max(told.ring) as ring,
        coalesce(sum(amount_minor) filter (where account <> for_partner), 0) as size
      from told group by for_partner, tie, secret
      having count(distinct account) > 1 order by size desc, secret limit ${limit}
    )
    select told.for_partner as partner_id, partner.email as partner_email, partner.promocode, told.tie, ring.ring, told.secret as key,
      told.account, customers.email, told.account = told.for_partner as is_partner, told.currency,
      count(*) filter (where told.status = 'Success')::integer as payments,
      coalesce(sum(told.amount_minor) filter (where told.status = 'Success'), 0)::float8 as paid_minor,
      coalesce(sum(earnings.amount_minor - earnings.reversed_minor), 0)::float8 as earned_minor,
      count(*) filter (where told.uncredited_because is not null or earnings.is_own_card)::integer as uncredited
    from ring
    join told on (told.for_partner, told.tie, told.secret) = (ring.for_partner, ring.tie, ring.secret)
    left join customers on customers.id = told.customer_id
    join customers as partner on partner.id = told.for_partner
    left join earnings on earnings.payment_id = told.id and earnings.partner_id = told.for_partner
    group by told.for_partner, partner.email, partner.promocode, told.tie, told.secret, ring.ring, ring.size,
      told.account, customers.email, told.currency
    order by ring.size desc, told.secret, is_partner desc, customers.email, told.account, told.currency`.execute(
    db,
  )
  return rows
}

/** How many payments earned a partner nothing, and why. */
export const countUncredited = async (
  db: Db,
  partnerId: string,
): Promise<{ ownCard: number; smallSpend: number }> => {
  const { rows } = await sql<{ ownCard: number; smallSpend: number }>`
    select
      (count(*) filter (where uncredited_because = 'own-card'))::integer as "ownCard",
      (count(*) filter (where uncredited_because = 'small-spend'))::integer as "smallSpend"
    from payments where partner_id = ${partnerId}`.execute(db)
  return rows[0] ?? { ownCard: 0, smallSpend: 0 }
}
