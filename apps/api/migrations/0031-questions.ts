import { type Kysely, sql } from 'kysely'

/** Support is asked without an account, too: a conversation then has an address and the hash of a link. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table conversations
      alter column customer_id drop not null,
      add column email text check (length(email) <= 254),
      add column link_hash bytea unique,
      add column link_opened_at timestamptz,
      add constraint conversations_have_an_author check (
        (customer_id is null) = (email is not null) and (customer_id is null) = (link_hash is not null)
        and (customer_id is not null or kind = 'support'))`.execute(db)
  await sql`create index questions_by_email on conversations (lower(email)) where customer_id is null`.execute(
    db,
  )
  await sql`
    create index waiting_questions on conversations (last_message_at) where customer_id is null and state = 'new'`.execute(
    db,
  )
}
