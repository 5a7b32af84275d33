import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { ClosedMonthRow } from '#platform/database/tables/closed-months.table.ts'

export const findClosedMonth = (db: Db, month: string): Promise<ClosedMonthRow | undefined> =>
  db.selectFrom('closed_months').selectAll().where('month', '=', month).executeTakeFirst()

/** Who closes one waits for whoever closes another. */
export const lockClosing = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('closed months'))`.execute(trx)
}

export const findLastClosed = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('closed_months').select('month').orderBy('month', 'desc').limit(1).executeTakeFirst())
    ?.month

type NewClosedMonth = Pick<ClosedMonthRow, 'month' | 'closed_by' | 'statement' | 'proofs' | 'reason'>

export const insertClosedMonth = (trx: Trx, row: NewClosedMonth): Promise<ClosedMonthRow> =>
  trx
    .insertInto('closed_months')
    .values({
      ...row,
      statement: JSON.stringify(row.statement),
      proofs: JSON.stringify(row.proofs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
