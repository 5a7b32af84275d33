import { type Kysely, sql } from 'kysely'

/**
 * A refund that its customer has to claim: when the gateway was last asked to make it, where it is claimed, and since when a claim
 * waits for the operator.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table refunds
      add column asked_at timestamptz,
      add column claim_url text,
      add column claimed_at timestamptz`.execute(db)
}
