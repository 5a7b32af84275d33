import { type Kysely, sql } from 'kysely'

/** Which operator has made an invitation: it ends with them. Of links from before it is not known who made them: they end now. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table operator_invitations add column invited_by uuid references operators (id)`.execute(db)
  await sql`delete from operator_invitations where used_at is null`.execute(db)
}
