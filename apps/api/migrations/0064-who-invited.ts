import { type Kysely, sql } from 'kysely'

/** Which operator has made an invitation: it ends with them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table operator_invitations add column invited_by uuid references operators (id)`.execute(db)
}
