import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** The oldest version that may still run: it knows this migration, which came with this release. */
export type Floor = { migration: string; release: string }

/** What a file of migrations/ exports (013). */
export type ShopMigration = Migration & {
  /** It builds indexes beside the sales, and does nothing else: what it has done so far stays when it is cut off. */
  isOutsideTransaction?: true
  /** It takes away what older versions use. */
  floor?: Floor
}

export type Migrations = Record<string, ShopMigration>

/** Those that a version knows. They are read only where one is to be done: that takes a sixth of a start. */
export type KnownMigrations = {
  /** Their names, in their order. */
  list: () => Promise<string[]>
  read: () => Promise<Migrations>
}

export const readMigrations = async (): Promise<Migrations> => {
  const modules = (await listKnownMigrations()).map(
    async (name) => [name, await import(new URL(`${name}.ts`, FOLDER).href)] as const,
  )
  return Object.fromEntries(await Promise.all(modules))
}

export const listKnownMigrations = async (): Promise<string[]> => {
  const files = await readdir(FOLDER)
  return files.flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : [])).sort()
}

export const SHOP_MIGRATIONS: KnownMigrations = { list: listKnownMigrations, read: readMigrations }

/** As it is run: together with what it does, it says who may still run afterwards. */
export const withFloor = (migration: ShopMigration): ShopMigration => {
  const { up, floor } = migration
  if (!floor) return migration
  return {
    ...migration,
    // biome-ignore lint/suspicious/noExplicitAny: A migration knows no tables: they are those of its own time.
    up: async (db: Kysely<any>) => {
      await up(db)
      await sql`
        insert into schema_floor (migration, release) values (${floor.migration}, ${floor.release})
        on conflict (is_only) do update set migration = excluded.migration, release = excluded.release
        where excluded.migration > schema_floor.migration`.execute(db)
    },
  }
}
