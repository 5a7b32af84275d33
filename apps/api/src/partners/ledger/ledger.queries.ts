import type { LedgerPosting } from '@hedgerow/domain/ledger'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Insertable } from 'kysely'
import { owingOfRow } from '#partners/earnings/earnings.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { LedgerTransfersTable } from '#platform/database/tables/partnership.table.ts'

type Transfer = Omit<Insertable<LedgerTransfersTable>, keyof LedgerPosting> & LedgerPosting

/** Nothing is moved where there is nothing to move. */
export const insertTransfer = async (trx: Trx, transfer: Transfer): Promise<void> => {
  if (transfer.amount_minor > 0) await trx.insertInto('ledger_transfers').values(transfer).execute()
}

/** In minor units. */
export const availableOf = async (db: Db, partnerId: string, currency: CurrencyCode): Promise<number> => {
  const row = await db
    .selectFrom('partner_balances')
    .select('available_minor')
    .where('partner_id', '=', partnerId)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return Number(row?.available_minor ?? 0)
}

export const listBalances = (db: Db, partnerId: string) =>
  db
    .selectFrom('partner_balances')
    .select(['currency', 'pending_minor', 'available_minor', 'requested_minor', 'paid_minor'])
    .select(owingOfRow('partner_balances').as('owing_minor'))
    .where('partner_id', '=', partnerId)
    .orderBy('currency')
    .execute()

export type BalanceRow = Awaited<ReturnType<typeof listBalances>>[number]
