import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { BackupFault } from '#care/backup/backup-fault.ts'
import type { BackupHeader, BackupTable } from '#care/backup/backup-format.ts'
import {
  addForeignKey,
  checkConstraintsNow,
  dropForeignKey,
  emptyTables,
  hasNoTables,
  isShopConnected,
  listForeignKeys,
  listPossibleTables,
  listTables,
  setCopyStyle,
  setSequences,
  setTriggers,
} from '#care/backup/catalogue.queries.ts'
import { type OlderState, type Restored, resumeFromOlderState } from '#care/backup/older-state.ts'
import { copyName, type OneConnection, withOneConnection } from '#care/backup/one-connection.ts'
import { type BackupSource, readBackup } from '#care/backup/read-backup.ts'
import { endOwnBackup } from '#people/operators/operator-actions.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { MIGRATIONS_LOCK, migrateTables, setUpQueue } from '#platform/database/migrate.ts'
import { listKnownMigrations } from '#platform/database/migrations.ts'
import {
  ARRIVING_JOBS,
  createArrivingJobs,
  dropQueue,
  getQueueState,
  queueArrivedJobs,
} from '#platform/queue/kept-jobs.ts'

/** The last migration of the backup. Throws where this version cannot bring it up to date. */
export const lastMigrationOf = async ({ migrations }: BackupHeader): Promise<string> => {
  const known = await listKnownMigrations()
  const unknown = migrations.find((name, n) => known[n] !== name)
  const last = migrations.at(-1)
  if (unknown !== undefined)
    throw new BackupFault(
      `It comes from another, perhaps newer, version of the shop: this one does not know ${unknown}. Restore it with that version.`,
    )
  if (last === undefined) throw new BackupFault('It is not a backup of the shop.')
  return last
}

/** Refuses a database that is in use. */
const refuseUnlessEmpty = async (db: Db): Promise<void> => {
  if (await isShopConnected(db))
    throw new BackupFault(
      'A shop is connected to this database. Restore the backup into an empty database that no shop uses.',
    )
  const queue = await getQueueState(db)
  if (!(await hasNoTables(db)) || !queue.isEmpty)
    throw new BackupFault('The database is not empty. A backup can only be restored into an empty one.')
}

const sameColumns = (one: BackupTable, other: BackupTable | undefined): boolean =>
  [...one.columns].sort().join() === [...(other?.columns ?? [])].sort().join()

/** The file's tables are to be those of its migrations, each with all columns. */
const refuseOtherTables = async (trx: Trx, { tables }: BackupHeader): Promise<void> => {
  const there = new Map((await listPossibleTables(trx)).map((table) => [table.name, table]))
  const odd = tables.find((table) => !sameColumns(table, there.get(table.name)))
  const names = new Set(tables.map(({ name }) => name))
  const missing = (await listTables(trx)).find(({ name }) => !names.has(name))?.name
  if (odd || missing)
    throw new BackupFault(`It does not match its own migrations: see the table ${odd?.name ?? missing}.`)
}

/** It is read again, and loaded only if it is still what was checked. */
type Parts = OlderState & BackupSource

/** Rows come back as they were, table by table: nothing is a change to be refused, and whom a row refers to may come later. */
const withoutGuards = async <T>(trx: Trx, { tables }: BackupHeader, fill: () => Promise<T>): Promise<T> => {
  const keys = await listForeignKeys(trx)
  for (const key of keys) await dropForeignKey(trx, key)
  for (const table of tables) await setTriggers(trx, table, false)
  const result = await fill()
  await checkConstraintsNow(trx)
  for (const key of keys) await addForeignKey(trx, key)
  for (const table of tables) await setTriggers(trx, table, true)
  return result
}

const load = async (connection: OneConnection, trx: Trx, header: BackupHeader, source: BackupSource) => {
  await migrateTables(trx, await lastMigrationOf(header))
  await refuseOtherTables(trx, header)
  await createArrivingJobs(trx)
  const onRows = async (table: BackupTable | undefined, rows: AsyncIterable<Buffer>): Promise<number> => {
    const copy = connection.copyIn(table ? copyName(table) : ARRIVING_JOBS)
    await pipeline(Readable.from(rows, { objectMode: false }), copy, { signal: source.signal })
    return copy.rowCount
  }
  await withoutGuards(trx, header, async () => {
    await emptyTables(trx, header.tables)
    await readBackup(source, onRows, header)
  })
  await setSequences(trx, header.sequences)
  await queueArrivedJobs(trx)
}

/** All or nothing: whatever goes wrong, the database is as empty as it was. */
const loadWhole = (connection: OneConnection, header: BackupHeader, parts: Parts): Promise<Restored> =>
  connection.db.transaction().execute(async (trx) => {
    await setCopyStyle(trx)
    await load(connection, trx, header, parts)
    // On to this version, as at the start of a shop.
    await migrateTables(trx)
    const restored = await resumeFromOlderState(trx, parts, 'restored')
    await endOwnBackup(trx, header.takenAt)
    parts.signal.throwIfAborted()
    return restored
  })

const takeTurn = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query(`select pg_try_advisory_lock(${MIGRATIONS_LOCK}) as is_ours`)
  if (!rows[0].is_ours)
    throw new BackupFault('Another restore, or a shop that is starting, is using this database.')
}

/**
 * Puts a backup that was found whole into an empty database, and brings it up to date. Throws a BackupFault where either
 * does not allow that; the database is then as it was.
 */
export const restoreBackup = (
  { pool }: { pool: Pool },
  header: BackupHeader,
  parts: Parts,
): Promise<Restored> =>
  withOneConnection(pool, parts.signal, async (connection) => {
    const { db, client } = connection
    await takeTurn(client)
    await refuseUnlessEmpty(db)
    const hadQueue = (await getQueueState(db)).isThere
    try {
      await setUpQueue({ pool })
      return await loadWhole(connection, header, parts)
    } catch (error) {
      // The queue makes its tables in transactions of its own.
      if (!hadQueue) await dropQueue({ pool })
      throw error
    }
  })
