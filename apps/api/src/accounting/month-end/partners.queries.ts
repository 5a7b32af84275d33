import { sql } from 'kysely'
import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'

export type SumOf = { currency: string; minor: string }

/** What the partners earned of payments that were credited in the month. */
export const sumEarned = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from earnings
    where earned_at >= ${from} and earned_at < ${to} group by 1`.execute(db)
  return rows
}

/** Paid withdrawals of the month that stand in a file for the bank, in the currency of that file. */
export const sumInFiles = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select batch.currency, sum(withdrawal.amount_minor)::text as minor
    from payouts join payout_batches as batch on batch.id = payouts.batch_id
      join withdrawals as withdrawal on withdrawal.id = payouts.withdrawal_id
    where payouts.released_at is null and withdrawal.status = 'paid'
      and withdrawal.ended_at >= ${from} and withdrawal.ended_at < ${to} group by 1`.execute(db)
  return rows
}

/** What the ledger paid in the month of those that stand in a file. */
export const sumPaidByFile = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from ledger_transfers
    where kind = 'paid' and created_at >= ${from} and created_at < ${to}
      and exists (select from payouts where payouts.withdrawal_id = ledger_transfers.withdrawal_id and released_at is null)
    group by 1`.execute(db)
  return rows
}

/** What the ledger says was earned in the month. */
export const sumEarnedInLedger = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from ledger_transfers
    where kind = 'earned' and created_at >= ${from} and created_at < ${to} group by 1`.execute(db)
  return rows
}

type MovedElsewhere = { about: string; minor: string; currency: string }

/** Earnings of the month that the ledger has not in it, or of another sum; and the other way round. */
export const findEarnedElsewhere = async (db: Db, { from, to }: Month, limit: number) => {
  const { rows } = await sql<MovedElsewhere>`
    with earned as (select * from earnings where earned_at >= ${from} and earned_at < ${to}),
      moved as (select * from ledger_transfers where kind = 'earned' and created_at >= ${from} and created_at < ${to})
    select payment_id as about, coalesce(earned.amount_minor, moved.amount_minor)::text as minor, currency
    from earned full join moved using (payment_id, partner_id, currency)
    where earned.amount_minor is distinct from moved.amount_minor
    order by 1 limit ${limit}`.execute(db)
  return rows
}

export const findPaidElsewhere = async (db: Db, { from, to }: Month, limit: number) => {
  const { rows } = await sql<MovedElsewhere>`
    with ended as (
      select *, id as withdrawal_id from withdrawals
      where status = 'paid' and ended_at >= ${from} and ended_at < ${to}),
      moved as (select * from ledger_transfers where kind = 'paid' and created_at >= ${from} and created_at < ${to})
    select withdrawal_id::text as about, coalesce(ended.amount_minor, moved.amount_minor)::text as minor, currency
    from ended full join moved using (withdrawal_id, partner_id, currency)
    where ended.amount_minor is distinct from moved.amount_minor
    order by 1 limit ${limit}`.execute(db)
  return rows
}

/** Payouts of the month that the file has in another currency than the ledger, or twice, or the ledger has not at all. */
export const findFiledElsewhere = async (db: Db, { from, to }: Month, limit: number) => {
  const { rows } = await sql<MovedElsewhere>`
    with filed as (
      select payouts.withdrawal_id, batch.currency, sum(withdrawal.amount_minor) as amount_minor
      from payouts join payout_batches as batch on batch.id = payouts.batch_id
        join withdrawals as withdrawal on withdrawal.id = payouts.withdrawal_id
      where payouts.released_at is null and withdrawal.status = 'paid'
        and withdrawal.ended_at >= ${from} and withdrawal.ended_at < ${to} group by 1, 2),
      moved as (
        select withdrawal_id, currency, amount_minor from ledger_transfers
        where kind = 'paid' and created_at >= ${from} and created_at < ${to}
          and exists (select from payouts
            where payouts.withdrawal_id = ledger_transfers.withdrawal_id and released_at is null))
    select withdrawal_id::text as about, coalesce(filed.amount_minor, moved.amount_minor)::text as minor, currency
    from filed full join moved using (withdrawal_id, currency)
    where filed.amount_minor is distinct from moved.amount_minor
    order by 1, 3 limit ${limit}`.execute(db)
  return rows
}
