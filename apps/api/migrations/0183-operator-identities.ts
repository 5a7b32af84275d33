import { type Kysely, sql } from 'kysely'

/**
 * Who operators are at the provider of single sign-on. `by_groups`: they came by a group there, which decides their role;
 * otherwise they have linked it themselves, and their role is the console's.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table operator_identities (
      issuer text not null,
      subject text not null,
      operator_id uuid not null references operators,
      by_groups boolean not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      primary key (issuer, subject)
    )`.execute(db)
  await sql`create index operator_identities_by_operator on operator_identities (operator_id)`.execute(db)
}
