import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table operator_actions (
      id uuid primary key,
      at timestamptz not null default clock_timestamp(),
      who text not null check (length(who) between 1 and 200),
      command text not null check (length(command) between 1 and 100),
      arguments jsonb not null,
      subject text check (length(subject) <= 100),
      outcome text not null default 'under way' check (outcome in ('done', 'refused', 'failed', 'under way')),
      ended_at timestamptz,
      check ((outcome = 'under way') = (ended_at is null))
    )`.execute(db)
  await sql`create index operator_actions_newest on operator_actions (at desc)`.execute(db)
  await sql`
    create index operator_actions_by_subject on operator_actions (subject) where subject is not null`.execute(
    db,
  )
  // Written once before the action and once after it. Nobody rewrites what was done, the operator least of all.
  await sql`
    create function keep_operator_actions() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and old.at < now() - interval '2 years' then
          return old;
        end if;
        if tg_op = 'UPDATE' and old.outcome = 'under way' and new.outcome <> 'under way'
          and (new.id, new.at, new.who, new.command, new.arguments) = (old.id, old.at, old.who, old.command, old.arguments)
          and (old.subject is null or new.subject = old.subject)
        then
          return new;
        end if;
        raise exception 'what operators did is recorded once, and kept for two years';
      end
    $$`.execute(db)
  await sql`
    create trigger operator_actions_are_kept before update or delete on operator_actions
    for each row execute function keep_operator_actions()`.execute(db)
  await sql`
    create trigger operator_actions_are_not_emptied before truncate on operator_actions
    for each statement execute function keep_operator_actions()`.execute(db)

  // What the overview asks for every morning, beside what the metrics ask for.
  await sql`
    create index payments_undelivered on payments (ended_at)
    where status = 'Success' and delivered_at is null and not refund_due`.execute(db)
}
