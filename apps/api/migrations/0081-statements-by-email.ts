import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** Statements are found by the address of an account, however it was typed, and listed by sender: strangers can send very many. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(db, 'statements_by_email', sql`on cancellation_statements (lower(email), received_at)`)
  await buildIndex(
    db,
    'open_statements_by_sender',
    sql`on cancellation_statements (sender) where closed_at is null`,
  )
}
