/** A program of the next version that builds an index beside sales: it can be killed in the middle. */
import { sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'
import { type OpenDatabase, openDatabase } from '#platform/database/client.ts'
import { listMigrations } from '#platform/database/compare-schema.ts'
import { migrate, type Patience } from '#platform/database/migrate.ts'
import type { ShopMigration } from '#platform/database/migrations.ts'
import { up } from '../../migrations/0001-accounts.ts'

/** After all that are there. */
export const NEXT = '9999-next'
export const NEXT_INDEX = 'orders_next'

const NEXT_MIGRATION: ShopMigration = {
  isOutsideTransaction: true,
  up: (db) => buildIndex(db, NEXT_INDEX, sql`on orders (days, id)`),
}

/** The database brought up to date by a version that has one migration more. */
export const migrateToNext = async (
  database: OpenDatabase,
  next: ShopMigration = NEXT_MIGRATION,
  { patience, logged = [] }: { patience?: Partial<Patience>; logged?: string[] } = {},
) => {
  const names = (await listMigrations(database.db)).filter((name) => name !== NEXT)
  return migrate(database, {
    log: { warn: (...line: unknown[]) => void logged.push(String(line.at(-1))) },
    patience: { lockMs: 300, givesWayMs: 200, ...patience },
    known: {
      list: async () => [...names, NEXT],
      read: async () => ({ ...Object.fromEntries(names.map((name) => [name, { up }])), [NEXT]: next }),
    },
  })
}

if (import.meta.main) {
  const database = openDatabase(process.env.DATABASE_URL ?? '', () => undefined, 2)
  await migrateToNext(database)
  await database.pool.end()
}
