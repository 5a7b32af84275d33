import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { Database } from '#platform/database/schema.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** What is recorded to be so from a moment on, and the job that makes it so. */
const JOBS = { plan_changes: 'change-plan', price_changes: 'change-prices' } as const
type ChangesTable = keyof typeof JOBS
type Row<T extends ChangesTable> = Selectable<Database[T]>

/** Seconds from now, by the database's clock; negative where it has passed. */
export const secondsUntil = async (db: Db, at: Date): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ${at}::timestamptz - now())::float8 as seconds`.execute(db)
  return rows[0]?.seconds ?? 0
}

export const addChangeJob = async (
  trx: Trx,
  table: ChangesTable,
  { id, due_at }: { id: string; due_at: Date },
): Promise<void> =>
  addJob(trx, JOBS[table], { changeId: id }, { inSeconds: (await secondsUntil(trx, due_at)) + 1 })

/** Those to come, the next first. */
export const listChangesToCome = async <T extends ChangesTable>(db: Db, table: T): Promise<Row<T>[]> => {
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} where ended_at is null order by due_at, created_at`.execute(db)
  return rows
}

const takeNextDue = async <T extends ChangesTable>(trx: Trx, table: T): Promise<Row<T> | undefined> => {
  const { rows } = await sql<Row<T>>`
    update ${sql.table(table)} set ended_at = now()
    where ended_at is null and id = (
      select id from ${sql.table(table)} where ended_at is null and due_at <= now()
      order by due_at, created_at limit 1
    )
    returning *`.execute(trx)
  return rows[0]
}

/**
 * Makes all whose moment has come, each once and in their order: after a shop was down over two of them, the later one
 * counts. The job may have run before the moment: another one comes at it.
 */
export const makeDueChanges = async <T extends ChangesTable>(
  trx: Trx,
  table: T,
  id: string,
  make: (row: Row<T>) => Promise<void>,
): Promise<void> => {
  for (let row = await takeNextDue(trx, table); row; row = await takeNextDue(trx, table)) await make(row)
  const { rows } = await sql<{ id: string; due_at: Date }>`
    select id, due_at from ${sql.table(table)} where id = ${id} and ended_at is null`.execute(trx)
  if (rows[0]) await addChangeJob(trx, table, rows[0])
}

/** Of several who take it back at once, one does; false where it was made or taken back before. */
export const takeBackChange = async (db: Db, table: ChangesTable, id: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ended_at = now() where id = ${id} and ended_at is null`.execute(db)
  return numAffectedRows === 1n
}
