import type { LedgerPosting } from '@hedgerow/domain/ledger'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { LedgerTransfersTable } from './partnership.table.ts'

type Trx = Transaction<Database>

/**
 * The partner, locked: whoever moves a partner's money does it with this lock, taken after the locks of orders, payments
 * and connections. Undefined when the account is erased.
 */
export const lockPartner = async (trx: Trx, id: string) => {
  await sql`
    insert into partners (customer_id) select id from customers where id = ${id} for key share
    on conflict do nothing`.execute(trx)
  return trx
    .selectFrom('partners')
    .select(['customer_id', 'transactions', 'promocode_uses', 'promocode_limit', 'promocode_closed_at'])
    .where('customer_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

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
    .where('partner_id', '=', partnerId)
    .orderBy('currency')
    .execute()

export type BalanceRow = Awaited<ReturnType<typeof listBalances>>[number]
