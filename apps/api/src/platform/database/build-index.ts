import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Builds an index beside the sales, in a migration that is outside a transaction. Done again after it was cut off, it begins
 * anew: what a build leaves then counts as an index by its name, and is used by no query. In a transaction, where a backup is
 * restored into a database that is not in use, it is built at once.
 */
export const buildIndex = async (
  // biome-ignore lint/suspicious/noExplicitAny: A migration knows no tables: they are those of its own time.
  db: Kysely<any>,
  name: string,
  /** From `on` onwards. */
  definition: RawBuilder<unknown>,
  { isUnique = false } = {},
): Promise<void> => {
  const create = sql.raw(isUnique ? 'create unique index' : 'create index')
  if (db.isTransaction) {
    await sql`${create} ${sql.id(name)} ${definition}`.execute(db)
    return
  }
  const { rows: broken } = await sql`
    select from pg_index where indexrelid = to_regclass(quote_ident(${name})) and not indisvalid`.execute(db)
  if (broken.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(db)
  await sql`${create} concurrently if not exists ${sql.id(name)} ${definition}`.execute(db)
}
