import { type Kysely, sql } from 'kysely'

/** What is known of the card holder's authentication: when an issuer's challenge was answered here, and the gateway's ECI. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments add column challenge_answered_at timestamptz, add column eci text`.execute(
    db,
  )
}
