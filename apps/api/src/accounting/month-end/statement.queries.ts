import type { StatementSum } from '@hedgerow/domain/month-statement'
import { sql } from 'kysely'
import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'

type Row = { currency: string; minor: string }

const sumsOf = (part: StatementSum['part'], rows: readonly Row[]): StatementSum[] =>
  rows.map(({ currency, minor }) => ({ part, currency, minor: Number(minor) }))

/** What gateways took, with what they gave back of it. */
export const sumFees = async (db: Db, { from, to }: Month): Promise<StatementSum[]> => {
  const { rows } = await sql<Row>`
    select booked_currency as currency,
      sum(case when kind = 'fee' and status = 'success' then booked_minor else 0 end - fee_minor)::text as minor
    from settlement_operations where completed_at >= ${from} and completed_at < ${to} group by 1 order by 1`.execute(
    db,
  )
  return sumsOf('fees', rows)
}

/** What partners earned, less what was taken back or given up. */
export const sumCommissions = async (db: Db, { from, to }: Month): Promise<StatementSum[]> => {
  const { rows } = await sql<Row>`
    select currency, sum(case when kind in ('earned', 'restored') then -amount_minor else amount_minor end)::text as minor
    from ledger_transfers
    where kind in ('earned', 'restored', 'reversed', 'given-up') and created_at >= ${from} and created_at < ${to}
    group by 1 order by 1`.execute(db)
  return sumsOf('earnings', rows)
}

export const sumPaidToPartners = async (db: Db, { from, to }: Month): Promise<StatementSum[]> => {
  const { rows } = await sql<Row>`
    select currency, (-sum(amount_minor))::text as minor from ledger_transfers
    where kind = 'paid' and created_at >= ${from} and created_at < ${to} group by 1 order by 1`.execute(db)
  return sumsOf('withdrawals', rows)
}
