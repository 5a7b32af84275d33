import { readdir } from 'node:fs/promises'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db, OpenDatabase } from '#database/client.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

const readMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  const modules = files.map(
    async (file) => [file.slice(0, -3), await import(new URL(file, FOLDER).href)] as const,
  )
  return Object.fromEntries(await Promise.all(modules))
}

export const listKnownMigrations = async (): Promise<string[]> => Object.keys(await readMigrations()).sort()

/** Our own tables, up to one migration or to the last. Given a transaction, all of it is done in that. */
export const migrateTables = async (db: Db, last?: string): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}

/** Held while the shape of the database is changed. */
export const MIGRATIONS_LOCK = "hashtext('hedgerow migrations')"

/** The queue's own tables. It makes them in transactions of its own. */
export const setUpQueue = async ({ pool }: Pick<OpenDatabase, 'pool'>): Promise<void> => {
  // A quarter of what the operator's tool would load, for the one command that needs it.
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: pool })
}

/** Brings the database up to date, forward only. Two processes that start at once take turns. */
export const migrate = async ({ db, pool }: OpenDatabase): Promise<void> => {
  const turn = await pool.connect()
  try {
    await turn.query(`select pg_advisory_lock(${MIGRATIONS_LOCK})`)
    await migrateTables(db)
    await setUpQueue({ pool })
  } finally {
    // Closing the connection gives the turn back, whatever happened on it.
    turn.release(true)
  }
}
