import { type Kysely, sql } from 'kysely'

/** Programs elsewhere are told of a check that failed when operators are, and when it is over. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function record_check() returns trigger language plpgsql as $$
      begin
        perform record_webhook(
          case when new.told_at is null then 'check.recovered' else 'check.failed' end,
          new.name || ' ' || new.machine || ' ' || extract(epoch from new.since), jsonb_build_object(
          'check', new.name, 'machine', nullif(new.machine, ''), 'state', new.state, 'says', new.says,
          'act', new.act, 'since', new.since));
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger shop_checks_record_change after update of told_at on shop_checks for each row
    when ((new.told_at is null) <> (old.told_at is null)) execute function record_check()`.execute(db)
}
