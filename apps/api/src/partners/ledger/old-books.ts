import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { sql } from 'kysely'
import { deletePayoutsOf } from '#partners/payout-files/payouts.queries.ts'
import type { Db } from '#platform/database/client.ts'
import { inSlices } from '#platform/database/slices.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

/** Of a partner who is gone, and of whom nothing has moved since the law's time began. */
const CLOSED = sql<string>`
  select distinct partner_id from partner_balances
  where not exists (select from customers where customers.id = partner_balances.partner_id)
    and not exists (
      select from ledger_transfers
      where ledger_transfers.partner_id = partner_balances.partner_id
        and extract(year from ledger_transfers.created_at at time zone 'Europe/London')
          >= extract(year from now() at time zone 'Europe/London') - ${INVOICE_YEARS}::int)`

const PARTNERS_AT_ONCE = 10

const deleteBooksOf = (db: Db, partnerId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.deleteFrom('ledger_transfers').where('partner_id', '=', partnerId).execute()
    await deletePayoutsOf(trx, [partnerId])
    for (const table of ['withdrawals', 'earnings', 'partner_balances'] as const)
      await trx.deleteFrom(table).where('partner_id', '=', partnerId).execute()
  })

/**
 * Deletes the books of partners who are gone, as long after their last movement as invoices are kept. Whole accounts only, each
 * in one transaction: what is left adds up as before. The ledger itself refuses to lose what is younger.
 */
export const deleteOldBooks = (db: Db): Promise<void> =>
  inSlices(
    async (most) => {
      const { rows } = await sql<{ partner_id: string }>`${CLOSED} limit ${most}`.execute(db)
      await runAllSteps(
        rows.map(
          ({ partner_id }) =>
            () =>
              deleteBooksOf(db, partner_id),
        ),
      )
      return rows.length
    },
    { rows: PARTNERS_AT_ONCE },
  )
