import { type Kysely, sql } from 'kysely'

/** What was proved of a month when it was closed, by whom, and what it came to. Nobody's name but the operator's is in it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table closed_months (
      month text primary key check (month ~ '^20[0-9][0-9]-(0[1-9]|1[0-2])$'),
      closed_at timestamptz not null default now(),
      closed_by text not null,
      statement jsonb not null,
      proofs jsonb not null,
      reason text
    )`.execute(db)
  await sql`
    create function refuse_change_of_closed_month() returns trigger language plpgsql as $$
    begin
      raise exception 'a month that was closed is never changed';
    end $$`.execute(db)
  await sql`
    create trigger closed_months_stay before update or delete on closed_months
    for each row execute function refuse_change_of_closed_month()`.execute(db)
  await sql`
    create trigger closed_months_are_not_emptied before truncate on closed_months
    for each statement execute function refuse_change_of_closed_month()`.execute(db)
}
