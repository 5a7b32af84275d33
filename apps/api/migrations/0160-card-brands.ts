import { type Kysely, sql } from 'kysely'

/** Of a card whose number's beginning the gateway does not tell. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments add card_brand text`.execute(db)
}
