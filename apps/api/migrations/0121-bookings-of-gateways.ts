import { type Kysely, sql } from 'kysely'

/** Other gateways' bookings beside the Gate's; some have ids of their own beside that of the refund, dispute or payout. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table settlement_runs
      add column gateway text not null default 'gate',
      add column next_cursor text`.execute(db)
  await sql`
    alter table settlement_operations
      add column gateway text not null default 'gate',
      add column source text,
      drop constraint settlement_operations_kind_check,
      add constraint settlement_operations_kind_check check
        (kind in ('sale', 'refund', 'chargeback', 'representment', 'fee', 'payout', 'correction', 'exchange', 'reserve', 'release', 'other-shop')) not valid`.execute(
    db,
  )
}
