import { type Kysely, sql } from 'kysely'

/**
 * What operators see changing: each row's kind and id, told to every process when its transaction ends. And what they search
 * by.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function tell_operators() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changed', 'live ' || tg_argv[0] || ':' || new.id);
        return null;
      end
    $$`.execute(db)
  for (const [table, kind] of [
    ['conversations', 'conversation'],
    ['refunds', 'refund'],
    ['withdrawals', 'withdrawal'],
    ['incidents', 'incident'],
  ])
    await sql`
      create trigger ${sql.id(`${table}_tell_operators`)} after insert or update on ${sql.table(table as string)}
      for each row execute function tell_operators(${sql.lit(kind)})`.execute(db)
  // An agent is heard of all the time; operators want to know of its coming and going, and of what they changed.
  await sql`
    create trigger nodes_tell_operators after insert or update of
      name, endpoint, public_key, is_open, time_zone, enrolment_hash, agent_hash, down_notified_at, removed_at on nodes
    for each row execute function tell_operators('node')`.execute(db)

  // What operators search by: how an address or a name begins, and the gateway's own ids.
  await sql`create index customers_by_email_start on customers (email text_pattern_ops)`.execute(db)
  await sql`create index customers_by_name_start on customers (lower(name) text_pattern_ops)`.execute(db)
  await sql`
    create index email_changes_by_old_email on email_changes (old_email text_pattern_ops)
    where changed_at is not null`.execute(db)
  await sql`
    create index payments_by_gate_request on payments (gate_request_id)
    where gate_request_id is not null`.execute(db)
  await sql`
    create index refunds_by_gate_request on refunds (gate_request_id)
    where gate_request_id is not null`.execute(db)
  await sql`create index invoices_by_number on invoices (number)`.execute(db)
  await sql`create index credit_notes_by_number on credit_notes (number)`.execute(db)
}
