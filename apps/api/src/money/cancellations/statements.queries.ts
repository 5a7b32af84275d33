import { CONVERSATION_KEPT_MONTHS } from '@hedgerow/domain/conversations'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type {
  CancellationStatementRow,
  CancellationStatementsTable,
} from '#platform/database/tables/cancellations.table.ts'

/** Undefined when the id is taken. */
export const insertStatement = (trx: Trx, row: Omit<Insertable<CancellationStatementsTable>, 'closed_at'>) =>
  trx
    .insertInto('cancellation_statements')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export const findStatement = (db: Db, id: string): Promise<CancellationStatementRow | undefined> =>
  db.selectFrom('cancellation_statements').selectAll().where('id', '=', id).executeTakeFirst()

/** The newest first; the open ones before the others. */
export const listStatements = (db: Db, isAll: boolean, most: number): Promise<CancellationStatementRow[]> =>
  db
    .selectFrom('cancellation_statements')
    .selectAll()
    .$if(!isAll, (query) => query.where('closed_at', 'is', null))
    .orderBy(sql`closed_at is not null`)
    .orderBy('received_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()

/** Under this address, which anyone may have typed; the oldest first. */
export const listStatementsOf = (db: Db, email: string): Promise<CancellationStatementRow[]> =>
  db
    .selectFrom('cancellation_statements')
    .selectAll()
    .where(sql`lower(email)`, '=', email)
    .orderBy('received_at')
    .execute()

/** False when it was so before. */
export const closeStatement = async (db: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('cancellation_statements')
    .set({ closed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** An open one stays. */
export const deleteOldStatements = (db: Db) =>
  deleteDue(
    db,
    'cancellation_statements',
    sql`closed_at < now() - make_interval(months => ${CONVERSATION_KEPT_MONTHS})`,
  )
