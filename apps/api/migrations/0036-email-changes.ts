import { type Kysely, sql } from 'kysely'

/** Changes of accounts' addresses: asked for, made, and undone from the mailbox that an account had before. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table email_changes (
      id uuid primary key,
      customer_id uuid not null references customers on delete cascade,
      old_email text not null,
      new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
      asked_at timestamptz not null default now(),
      expires_at timestamptz not null,
      confirm_hash bytea unique,
      changed_at timestamptz,
      undo_until timestamptz,
      undo_hash bytea unique,
      ended_at timestamptz,
      check ((changed_at is null) = (undo_until is null)),
      check (undo_hash is null or changed_at is not null)
    )`.execute(db)
  await sql`create index email_changes_of_customer on email_changes (customer_id)`.execute(db)
  await sql`
    create unique index email_changes_pending on email_changes (customer_id)
    where changed_at is null and ended_at is null`.execute(db)
}
