import { readdir } from 'node:fs/promises'
import { runMigrations as migrateJobs } from 'graphile-worker'
import { type Migration, Migrator } from 'kysely/migration'
import type { OpenDatabase } from './client.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

const readMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  const modules = files.map(
    async (file) => [file.slice(0, -3), await import(new URL(file, FOLDER).href)] as const,
  )
  return Object.fromEntries(await Promise.all(modules))
}

/** Brings the database up to date, forward only. Two processes that start at once take turns. */
export const migrate = async ({ db, pool }: OpenDatabase): Promise<void> => {
  const turn = await pool.connect()
  try {
    await turn.query("select pg_advisory_lock(hashtext('hedgerow migrations'))")
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: readMigrations },
    }).migrateToLatest()
    if (error) throw error
    await migrateJobs({ pgPool: pool })
  } finally {
    // Closing the connection gives the turn back, whatever happened on it.
    turn.release(true)
  }
}
