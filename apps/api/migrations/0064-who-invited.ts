import { type Kysely, sql } from 'kysely'

/** Who has made an invitation: it ends with that operator. Of links from before it is not known: they open nothing any more. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table operator_invitations add column invited_by uuid references operators (id),
    add column is_by_tool boolean not null default false`.execute(db)
}
