import { type Kysely, sql } from 'kysely'

/** The page to which a customer goes on from the next mailed link. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table customers add column redirect_path text check (length(redirect_path) <= 2000)`.execute(db)
}
