import { type Kysely, sql } from 'kysely'

/** What a gateway holds back of the balance, and releases, is a kind of booking. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table settlement_operations
      drop constraint settlement_operations_kind_check,
      add constraint settlement_operations_kind_check check
        (kind in ('sale', 'refund', 'chargeback', 'representment', 'fee', 'payout', 'correction', 'exchange', 'reserve', 'release')) not valid`.execute(
    db,
  )
}
