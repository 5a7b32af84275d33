import { type Kysely, sql } from 'kysely'

/** How each payment came to where it is, step by step; and the orders in which operators read lists. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table payment_steps (
      id bigint generated always as identity primary key,
      payment_id text not null,
      at timestamptz not null default clock_timestamp(),
      status text not null,
      gate_status text,
      gate_code text
    )`.execute(db)
  await sql`create index payment_steps_of_payment on payment_steps (payment_id, id)`.execute(db)
  // In the very statement that changes the payment: nothing that happens to it is without its time.
  await sql`
    create function note_payment_step() returns trigger language plpgsql as $$
      begin
        insert into payment_steps (payment_id, status, gate_status, gate_code)
        values (new.id, new.status, new.gate_status, new.gate_code);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger payments_note_start after insert on payments
    for each row execute function note_payment_step()`.execute(db)
  await sql`
    create trigger payments_note_step after update of status, gate_status, gate_code on payments
    for each row when (
      (old.status, old.gate_status, old.gate_code) is distinct from (new.status, new.gate_status, new.gate_code))
    execute function note_payment_step()`.execute(db)

  await sql`create index payments_pages on payments (created_at desc, id desc)`.execute(db)
  await sql`create index payments_pages_by_status on payments (status, created_at desc, id desc)`.execute(db)
  await sql`create index orders_pages on orders (created_at desc, id desc)`.execute(db)
  await sql`create index disputes_pages on disputes (respond_by, id)`.execute(db)
}
