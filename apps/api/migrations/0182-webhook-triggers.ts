import { type Kysely, sql } from 'kysely'

/** What programs are told is recorded with what happened, in whatever transaction that does. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create trigger orders_record_webhook after update of status on orders for each row
    when (new.status = 'Completed' and old.status <> 'Completed')
    execute function record_order_paid()`.execute(db)
  await sql`
    create trigger connections_record_delivery after insert on connections for each row
    execute function record_connection()`.execute(db)
  // An end that the clock brings is found by its time; here is what an operator, a cancellation or a dispute ends at once.
  await sql`
    create trigger connections_record_end after update of expires_at on connections for each row
    when (new.expires_at <= now() and (old.expires_at is null or old.expires_at > now()))
    execute function record_connection()`.execute(db)
  await sql`
    create trigger refunds_record_success after insert on refunds for each row
    when (new.status = 'Success') execute function record_refund()`.execute(db)
  await sql`
    create trigger refunds_record_change after update of status on refunds for each row
    when (new.status = 'Success' and old.status <> 'Success') execute function record_refund()`.execute(db)
  await sql`
    create trigger disputes_record_opening after insert on disputes for each row
    execute function record_dispute()`.execute(db)
  await sql`
    create trigger disputes_record_change after update of status on disputes for each row
    when (new.status <> old.status) execute function record_dispute()`.execute(db)
  await sql`
    create trigger conversations_record_application after insert on conversations for each row
    when (new.kind = 'application') execute function record_application()`.execute(db)
}
