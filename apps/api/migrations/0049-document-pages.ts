import { type Kysely, sql } from 'kysely'

/** The orders in which operators read lists of documents, partners and what they want paid. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index invoices_pages on invoices (issued_at desc, order_id desc)`.execute(db)
  await sql`create index credit_notes_pages on credit_notes (issued_at desc, refund_id desc)`.execute(db)
  await sql`create index withdrawals_pages on withdrawals (created_at desc, id desc)`.execute(db)
}
