import { type Kysely, sql } from 'kysely'

/** What is asked at every scrape of the metrics, however long the shop's past is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create index payments_succeeded on payments (ended_at) include (currency, method, amount_minor)
    where status = 'Success'`.execute(db)
  await sql`create index live_payments on payments (status, created_at) where ended_at is null`.execute(db)
  await sql`create index refunds_by_end on refunds (status, ended_at)`.execute(db)
  await sql`create index new_enquiries on enquiries (kind, created_at) where state = 'new'`.execute(db)
}
