import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** What two of the partners' books say of the same money. Sums in minor units. */
export type BookFault = {
  what: string
  partner_id: string | null
  currency: string | null
  /** The payment or withdrawal, where it is about one. */
  about: string | null
  has: string
  should: string
}

/** A success waits longer than this for being credited, and a hold for its end, only if something is wrong. */
const CREDITED_WITHIN = sql`interval '10 minutes'`

/** What the checks read: the ledger by account, by payment and by withdrawal, and each earning with its payment. */
const READ = sql`
  account as (
    select partner_id, currency, account, sum(amount_minor) as minor from ledger_entries group by 1, 2, 3
  ),
  balance as (
    select partner_id, currency, account, minor from partner_balances
    cross join lateral (values ('pending', pending_minor), ('available', available_minor),
      ('requested', requested_minor), ('paid', paid_minor)) as part (account, minor)
  ),
  moved as (
    select payment_id, partner_id, currency,
      coalesce(sum(amount_minor) filter (where kind = 'earned'), 0) as earned,
      coalesce(sum(amount_minor) filter (where kind = 'reversed'), 0)
        - coalesce(sum(amount_minor) filter (where kind = 'restored'), 0) as reversed,
      coalesce(sum(case when to_account = 'pending' then amount_minor
        when from_account = 'pending' then -amount_minor else 0 end), 0) as held
    from ledger_transfers where payment_id is not null group by 1, 2, 3
  ),
  sent as (
    select withdrawal_id, partner_id, currency,
      coalesce(sum(amount_minor) filter (where kind = 'requested'), 0) as requested,
      coalesce(sum(amount_minor) filter (where kind = 'paid'), 0) as paid,
      coalesce(sum(amount_minor) filter (where kind = 'refused'), 0) as refused
    from ledger_transfers where withdrawal_id is not null group by 1, 2, 3
  ),
  earning as (
    select earnings.*, payments.partner_id as payments_partner, payments.customer_id, payments.status,
      payments.is_credited, payments.refunded_minor,
      exists (select from customers where customers.id = earnings.partner_id) as is_alive,
      case when is_own_card then earnings.amount_minor else earnings.amount_minor
        - (2 * earnings.amount_minor::bigint * (charged_minor - refunded_minor) + charged_minor)
        / (2 * charged_minor::bigint) end as should_be_back
    from earnings join payments on payments.id = earnings.payment_id
  )`

/** What accounts hold, against the transfers between them and what earnings and withdrawals want held. */
const BALANCE_FAULTS = sql`
  select 'entries do not sum to zero', null::uuid, currency, null::text, sum(minor), 0
  from account group by currency having sum(minor) <> 0
  union all
  select 'balance is not the sum of its transfers: ' || account, partner_id, currency, null,
    coalesce(balance.minor, 0), coalesce(account.minor, 0)
  from balance full join (select * from account where account <> 'shop') as account
    using (partner_id, currency, account)
  where coalesce(balance.minor, 0) <> coalesce(account.minor, 0)
  union all
  select 'pending is not what earnings hold', partner_id, currency, null, coalesce(pending_minor, 0),
    coalesce(held, 0)
  from partner_balances full join (
    select partner_id, currency, sum(amount_minor - reversed_minor) as held from earnings
    where matured_at is null group by 1, 2) as waiting using (partner_id, currency)
  where coalesce(pending_minor, 0) <> coalesce(held, 0)
  union all
  select 'requested is not the sum of open withdrawals', partner_id, currency, null,
    coalesce(requested_minor, 0), coalesce(minor, 0)
  from partner_balances full join (
    select partner_id, currency, sum(amount_minor) as minor from withdrawals
    where status = 'requested' group by 1, 2) as open using (partner_id, currency)
  where coalesce(requested_minor, 0) <> coalesce(minor, 0)
  union all
  select 'paid is not the sum of paid withdrawals', partner_id, currency, null, coalesce(paid_minor, 0),
    coalesce(minor, 0)
  from partner_balances full join (
    select partner_id, currency, sum(amount_minor) as minor from withdrawals
    where status = 'paid' group by 1, 2) as done using (partner_id, currency)
  where coalesce(paid_minor, 0) <> coalesce(minor, 0)`

/** Each earning, against its transfers, its payment and its refunds. */
const EARNING_FAULTS = sql`
  select 'earning differs from what the ledger says was earned', partner_id, currency, payment_id,
    coalesce(earned, 0), coalesce(amount_minor, 0)
  from earnings full join moved using (payment_id, partner_id, currency)
  where coalesce(earned, 0) <> coalesce(amount_minor, 0)
  union all
  select 'earning differs from what the ledger says was taken back', partner_id, currency, payment_id,
    coalesce(reversed, 0), reversed_minor
  from earnings left join moved using (payment_id, partner_id, currency)
  where coalesce(reversed, 0) <> reversed_minor
  union all
  select 'earning is held, or is free, and the ledger says otherwise', partner_id, currency, payment_id,
    coalesce(held, 0), case when matured_at is null then amount_minor - reversed_minor else 0 end
  from earning left join moved using (payment_id, partner_id, currency)
  where coalesce(held, 0) <> case when matured_at is null then amount_minor - reversed_minor else 0 end
    and is_alive
  union all
  select 'a refund has not taken its share of the earning', partner_id, currency, payment_id, due_back_minor,
    should_be_back
  from earning where is_alive and due_back_minor <> should_be_back
  union all
  select 'what refunds want back is owed though there is money', partner_id, currency, payment_id, reversed_minor,
    due_back_minor
  from earning join partner_balances using (partner_id, currency)
  where is_alive and reversed_minor < due_back_minor and (matured_at is null or available_minor > 0)
  union all
  select 'earning of a payment that earns nothing for this partner', partner_id, currency, payment_id, amount_minor, 0
  from earning
  where partner_id is distinct from payments_partner or partner_id = customer_id or status <> 'Success'
    or not is_credited
  union all
  select 'paid, and its partner not credited', partner_id, currency, id, 0, amount_minor
  from payments
  where status = 'Success' and partner_id is not null and not refund_due and not is_credited
    and ended_at < now() - ${CREDITED_WITHIN}
  union all
  select 'hold is over, and what was earned is not available', partner_id, currency, payment_id, 0,
    amount_minor - reversed_minor
  from earning where is_alive and matured_at is null and available_at < now() - ${CREDITED_WITHIN}
    -- While its payment is disputed, the hold goes on.
    and not exists (select from payments where id = earning.payment_id and disputed_minor > 0)`

/** Each withdrawal, against its transfers. */
const WITHDRAWAL_FAULTS = sql`
  select 'withdrawal differs from its transfers: ' || coalesce(status, 'none'), partner_id, currency,
    coalesce(id, withdrawal_id)::text, coalesce(requested, 0), coalesce(amount_minor, 0)
  from (select *, id as withdrawal_id from withdrawals) as asked
    full join sent using (withdrawal_id, partner_id, currency)
  where (coalesce(requested, 0), coalesce(paid, 0), coalesce(refused, 0)) is distinct from
    (coalesce(amount_minor, 0), case status when 'paid' then amount_minor else 0 end,
      case status when 'refused' then amount_minor else 0 end)`

/** What is counted of each partner, against their earnings. */
const PARTNER_FAULTS = sql`
  select 'transactions are not the credited payments', customer_id, null, null, transactions,
    (select count(*) from earnings where partner_id = customer_id and not is_refunded)
  from partners
  where transactions <> (select count(*) from earnings where partner_id = customer_id and not is_refunded)
  union all
  select 'uses of the promocode are not the credited payments with it', customer_id, null, null, promocode_uses, uses
  from partners cross join lateral (
    select count(*) as uses from earnings
    where partner_id = customer_id and source = 'promocode' and not is_refunded) as counted
  where promocode_uses <> uses`

/** One statement, so that all of it is of the same moment, whatever goes on meanwhile. */
const findFaults = (db: Db) =>
  sql<BookFault>`
    with ${READ},
    fault (what, partner_id, currency, about, has, should) as (
      ${BALANCE_FAULTS} union all ${EARNING_FAULTS} union all ${WITHDRAWAL_FAULTS} union all ${PARTNER_FAULTS}
    )
    select what, partner_id::text, currency, about, has::text, should::text from fault
    order by what, partner_id, currency, about`.execute(db)

/**
 * Whether the partners' books agree with each other: entries, balances, earnings, refunds and withdrawals. Returns each
 * disagreement; there ought to be none, at any moment.
 */
export const checkBooks = async ({ db }: With<'db'>): Promise<BookFault[]> => (await findFaults(db)).rows
