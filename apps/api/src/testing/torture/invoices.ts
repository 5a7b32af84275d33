import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** While the run lasts, the invoice of one order in sixteen cannot be written, whatever is tried. */
export const breakInvoices = async (db: Db): Promise<void> => {
  await sql`create function refuse_invoice() returns trigger language plpgsql as $$
    begin
      if new.order_id::text like '0%' then raise 'this invoice cannot be written'; end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger refuse_invoice before insert on invoices for each row execute function refuse_invoice()`.execute(
    db,
  )
}

export const mendInvoices = async (db: Db): Promise<void> => {
  await sql`drop function refuse_invoice cascade`.execute(db)
}
