import { type Kysely, sql } from 'kysely'

/** A refund that was refused is owed until somebody has closed it; so is money that bought nothing and has not gone back. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table refunds add column closed_at timestamptz`.execute(db)
  // What has been asked for again since, or has gone back otherwise, is owed by nobody. In doubt it is told once more.
  await sql`
    update refunds set closed_at = now() from payments
    where refunds.status = 'Decline' and payments.id = refunds.payment_id
      and (refunded_minor = charged_minor or exists (
        select from refunds as later
        where later.payment_id = refunds.payment_id and later.id <> refunds.id
          and later.created_at >= refunds.created_at and later.amount_minor = refunds.amount_minor))`.execute(
    db,
  )
  await sql`
    create index refused_refunds on refunds (payment_id) where status = 'Decline' and closed_at is null`.execute(
    db,
  )
  await sql`
    create index payments_due_back on payments (ended_at)
    where refund_due and refunded_minor < charged_minor`.execute(db)
}
