import { type Kysely, sql } from 'kysely'

/** Every process is told of what ends an operator's way in or an agent's, so that an answer that is being given ends with it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function tell_ending() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changed', tg_argv[0] || ':' || old.id);
        return null;
      end
    $$`.execute(db)
  for (const table of ['operator_sessions', 'operator_tokens'])
    await sql`
      create trigger ${sql.raw(table)}_tell_ending after delete on ${sql.table(table)}
      for each row execute function tell_ending('operator')`.execute(db)
  await sql`
    create trigger operators_tell_ending after update of role, ended_at on operators for each row
    when ((old.role, old.ended_at) is distinct from (new.role, new.ended_at))
    execute function tell_ending('operator')`.execute(db)
  await sql`
    create trigger nodes_tell_ending after update of agent_hash, removed_at on nodes for each row
    when ((old.agent_hash, old.removed_at) is distinct from (new.agent_hash, new.removed_at))
    execute function tell_ending('node')`.execute(db)
}
