import { type Kysely, sql } from 'kysely'

/** Addresses of customers to which mails do not get through, as the mail server or the provider says. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table returned_mails (
      email text primary key,
      kind text not null check (kind in ('refused', 'bounced', 'complained')),
      at timestamptz not null default now()
    )`.execute(db)
}
