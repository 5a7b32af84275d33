import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import { deletePayoutsOf } from '#partnership/payouts.queries.ts'

/** Of a partner who is gone, and of whom nothing has moved since the law's time began. */
const CLOSED = sql<string>`
  select distinct partner_id from partner_balances
  where not exists (select from customers where customers.id = partner_balances.partner_id)
    and not exists (
      select from ledger_transfers
      where ledger_transfers.partner_id = partner_balances.partner_id
        and extract(year from ledger_transfers.created_at at time zone 'Europe/London')
          >= extract(year from now() at time zone 'Europe/London') - ${INVOICE_YEARS}::int)`

/**
 * Deletes the books of partners who are gone, as long after their last movement as invoices are kept. Whole accounts only:
 * what is left adds up as before. The ledger itself refuses to lose what is younger.
 */
export const deleteOldBooks = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ partner_id: string }>`${CLOSED}`.execute(trx)
    const ids = rows.map(({ partner_id }) => partner_id)
    if (ids.length === 0) return
    await trx.deleteFrom('ledger_transfers').where('partner_id', 'in', ids).execute()
    await deletePayoutsOf(trx, ids)
    await trx.deleteFrom('withdrawals').where('partner_id', 'in', ids).execute()
    await trx.deleteFrom('earnings').where('partner_id', 'in', ids).execute()
    await trx.deleteFrom('partner_balances').where('partner_id', 'in', ids).execute()
  })
