import { CONVERSATION_KEPT_MONTHS } from '@hedgerow/domain/conversations'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type {
  CancellationStatementRow,
  CancellationStatementsTable,
} from '#platform/database/tables/cancellations.table.ts'
import type { Order } from '#platform/http/keyset.ts'

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

/** Whether so many wait for a person. */
export const isManyOpen = async (db: Db, many: number): Promise<boolean> => {
  const { rows } = await sql`
    select from cancellation_statements where closed_at is null offset ${many - 1}::int limit 1`.execute(db)
  return rows.length > 0
}

/** Of the open ones the newest of each sender: when it is closed, the one before takes its place. */
export const selectStatements = (db: Db, isAll: boolean) =>
  db
    .selectFrom('cancellation_statements')
    .selectAll()
    .$if(!isAll, (query) =>
      query.where(
        sql<boolean>`id in (
          select distinct on (coalesce(sender, id::text)) id from cancellation_statements
          where closed_at is null order by coalesce(sender, id::text), received_at desc, id desc)`,
      ),
    )

export const statementOrder: Pick<Order, 'key' | 'id'> = {
  key: { by: sql`received_at`, type: 'timestamptz' },
  id: { by: sql`id`, type: 'uuid' },
}

/** How many of each of these senders wait. */
export const countOpenOf = (db: Db, senders: readonly string[]) =>
  db
    .selectFrom('cancellation_statements')
    .select(({ fn }) => ['sender', fn.countAll<string>().as('count')])
    .where('closed_at', 'is', null)
    .where(sql<boolean>`sender = any(${senders}::text[])`)
    .groupBy('sender')
    .execute()

/** Under this address, which anyone may have typed: the latest 200. */
export const listStatementsOf = (db: Db, email: string): Promise<CancellationStatementRow[]> =>
  db
    .selectFrom('cancellation_statements')
    .selectAll()
    .where(sql`lower(email)`, '=', email)
    .orderBy('received_at', 'desc')
    .limit(200)
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
