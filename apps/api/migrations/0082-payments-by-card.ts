import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** What was bought lately with one card, in whatever account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(db, 'payments_by_card', sql`on payments (card_hash, ended_at) where card_hash is not null`)
}
