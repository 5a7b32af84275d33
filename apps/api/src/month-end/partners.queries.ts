import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Month } from '#month-end/month.ts'

export type SumOf = { currency: string; minor: string }

/** What the partners earned of payments that were credited in the month. */
export const sumEarned = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from earnings
    where earned_at >= ${from} and earned_at < ${to} group by 1`.execute(db)
  return rows
}

export const sumPaidOut = async (db: Db, { from, to }: Month): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from withdrawals
    where status = 'paid' and ended_at >= ${from} and ended_at < ${to} group by 1`.execute(db)
  return rows
}

/** What the ledger says was moved in the month. */
export const sumTransferred = async (
  db: Db,
  { from, to }: Month,
  kind: 'earned' | 'paid',
): Promise<SumOf[]> => {
  const { rows } = await sql<SumOf>`
    select currency, sum(amount_minor)::text as minor from ledger_transfers
    where kind = ${kind} and created_at >= ${from} and created_at < ${to} group by 1`.execute(db)
  return rows
}

export type MovedElsewhere = { about: string; minor: string; currency: string }

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
