import { type Kysely, sql } from 'kysely'

/**
 * The record of what operators did is chained: each beginning and each end of an act has an entry, with the hash of what it
 * says behind the hash of the entry before. What was recorded until now is counted, and stays outside.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table operator_record (
      seq bigint primary key,
      action_id uuid,
      is_end boolean not null default false,
      -- The subject may become known at the end only.
      has_subject boolean not null default false,
      at timestamptz not null default clock_timestamp(),
      older bigint,
      hash bytea not null,
      seal bytea,
      unique (action_id, is_end),
      check ((action_id is null) = (older is not null))
    )`.execute(db)
  await sql`create index operator_record_sealed on operator_record (seq) where seal is not null`.execute(db)
  await sql`
    create function chain_operator_action(action operator_actions, is_end boolean) returns void language plpgsql as $$
      declare
        before operator_record;
        number bigint;
        said text;
      begin
        -- Until the transaction ends: an entry is seen by all before the next is numbered.
        perform pg_advisory_xact_lock(hashtext('operator record'));
        select * into before from operator_record order by seq desc limit 1;
        number := coalesce(before.seq, 0) + 1;
        said := case when is_end
          then jsonb_build_array(number, 'ended', action.id, extract(epoch from action.ended_at), action.outcome,
            action.subject is not null, action.subject)
          else jsonb_build_array(number, 'begun', action.id, extract(epoch from action.at), action.who, action.command,
            action.arguments, action.subject is not null, action.subject)
          end::text;
        insert into operator_record (seq, action_id, is_end, has_subject, at, hash)
        values (number, action.id, is_end, action.subject is not null,
          case when is_end then action.ended_at else action.at end,
          sha256(coalesce(before.hash, '') || convert_to(said, 'UTF8')));
      end
    $$`.execute(db)
  await sql`
    create function chain_operator_actions() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          perform chain_operator_action(new, false);
        end if;
        if new.outcome <> 'under way' then
          perform chain_operator_action(new, true);
        end if;
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger operator_actions_are_chained after insert or update on operator_actions
    for each row execute function chain_operator_actions()`.execute(db)
  // After the trigger, which waits for those who write: none is missed, and none counted twice.
  await sql`
    insert into operator_record (seq, older, at, hash)
    select 1, older, at,
      sha256(convert_to(jsonb_build_array(1, 'from', extract(epoch from at), older)::text, 'UTF8'))
    from (select count(*) as older, clock_timestamp() as at from operator_actions) as counted`.execute(db)
  await sql`
    create function keep_operator_record() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and old.at < now() - interval '2 years' then
          return old;
        end if;
        -- A seal holds by itself, and is made anew where its key is lost.
        if tg_op = 'UPDATE'
          and (new.seq, new.action_id, new.is_end, new.has_subject, new.at, new.older, new.hash)
            is not distinct from (old.seq, old.action_id, old.is_end, old.has_subject, old.at, old.older, old.hash)
        then
          return new;
        end if;
        raise exception 'what operators did is recorded once, and kept for two years';
      end
    $$`.execute(db)
  await sql`
    create trigger operator_record_is_kept before update or delete on operator_record
    for each row execute function keep_operator_record()`.execute(db)
  await sql`
    create trigger operator_record_is_not_emptied before truncate on operator_record
    for each statement execute function keep_operator_record()`.execute(db)
}
