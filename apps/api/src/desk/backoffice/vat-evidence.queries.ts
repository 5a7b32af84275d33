import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** London days, 'YYYY-MM-DD', the last one included. */
export type Period = { from?: string | undefined; to?: string | undefined }

const PAID_DAY = sql`(payments.ended_at at time zone 'Europe/London')::date`

/** Every sale that asked for the country, in the order in which they were paid, with its invoice where that is issued. */
export const listPlacedSales = (db: Db, { from, to }: Period) => {
  let query = db
    .selectFrom('payments')
    .leftJoin('invoices', 'invoices.order_id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.order_id',
      'payments.ended_at',
      'payments.method',
      'payments.amount_minor',
      'payments.currency',
      'payments.refunded_minor',
      'payments.vat_country',
      'payments.bank_country',
      'payments.network_country',
      'payments.vat_number',
      'payments.vat_number_standing',
      'payments.vat_number_consultation',
      'invoices.year',
      'invoices.number',
      'invoices.snapshot',
    ])
    .where('payments.status', '=', 'Success')
    .where('payments.refund_due', '=', false)
    .where('payments.vat_country', 'is not', null)
    .orderBy('payments.ended_at')
    .orderBy('payments.id')
  if (from) query = query.where(sql<boolean>`${PAID_DAY} >= ${from}::date`)
  if (to) query = query.where(sql<boolean>`${PAID_DAY} <= ${to}::date`)
  return query.execute()
}

export type PlacedSaleRow = Awaited<ReturnType<typeof listPlacedSales>>[number]
