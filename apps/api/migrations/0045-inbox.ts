import { type Kysely, sql } from 'kysely'

/** Who answers a conversation, what of it each operator has seen, and answers that are given often. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table conversations add column operator_id uuid references operators on delete set null`.execute(db)
  await sql`
    create table conversation_views (
      operator_id uuid not null references operators on delete cascade,
      conversation_id uuid not null references conversations on delete cascade,
      seen_at timestamptz not null default now(),
      primary key (operator_id, conversation_id)
    )`.execute(db)
  await sql`
    create table canned_replies (
      id uuid primary key,
      title text not null check (length(title) between 1 and 80),
      text text not null check (length(text) between 1 and 5000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index canned_replies_title on canned_replies (lower(title))`.execute(db)
  await sql`
    create index conversations_pages on conversations (last_message_at desc, id desc)
    where not is_held`.execute(db)
  await sql`create index conversation_views_of_conversation on conversation_views (conversation_id)`.execute(
    db,
  )
}
