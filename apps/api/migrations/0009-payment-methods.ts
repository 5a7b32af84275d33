import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      drop constraint payments_method_check,
      add constraint payments_method_check check (method in ('card', 'open_banking', 'blik'))`.execute(db)
  // The payment history: the account's attempts, newest first.
  await sql`create index payments_by_customer on payments (customer_id, created_at desc, id)`.execute(db)
}
