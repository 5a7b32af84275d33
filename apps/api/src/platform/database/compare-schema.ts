import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { Floor } from '#platform/database/migrations.ts'
import { StartError } from '#platform/start-error.ts'

const hasTable = async (db: Db, name: string): Promise<boolean> => {
  const { rows } = await sql<{
    is_there: boolean
  }>`select to_regclass(${name}) is not null as is_there`.execute(db)
  return rows[0]?.is_there ?? false
}

/** Those that the database has seen, in their order. */
export const listMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const findFloor = async (db: Db): Promise<Floor | undefined> => {
  if (!(await hasTable(db, 'schema_floor'))) return undefined
  const { rows } = await sql<Floor>`select migration, release from schema_floor`.execute(db)
  return rows[0]
}

export type SchemaState = {
  /** What this version knows and the database has not seen. */
  pending: string[]
  /** What newer versions did to the database, and this one can run on all the same. */
  newer: string[]
}

/** Holds the database against the migrations that this version knows. Throws a StartError where it must not run on it. */
export const compareSchema = async (db: Db, known: readonly string[]): Promise<SchemaState> => {
  const seen = (await hasTable(db, 'kysely_migration')) ? await listMigrations(db) : []
  const pending = known.filter((name) => !seen.includes(name))
  const newer = seen.filter((name) => !known.includes(name))
  const last = known.at(-1) ?? ''
  if (newer.length === 0) return { pending, newer }
  const odd = pending[0] ?? newer.find((name) => name < last)
  if (odd !== undefined)
    throw new StartError(
      `The database belongs to another line of versions than this one: see the migration ${odd}. Start the version that last ran on it, or a newer one.`,
    )
  const floor = await findFloor(db)
  if (floor && !known.includes(floor.migration))
    throw new StartError(
      `The database has been brought up to date by a newer version, and needs ${floor.release} or later: this one is too old for it. Start one of those; the way back to this one is a backup from before the upgrade.`,
    )
  return { pending, newer }
}
