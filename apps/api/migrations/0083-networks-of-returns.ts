import { type Kysely, sql } from 'kysely'

/** The networks around a purchase, and how many times as many as one line each may have go back. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments add column networks jsonb`.execute(db)
  await sql`alter table returned_purchases add column times smallint not null default 1`.execute(db)
}
