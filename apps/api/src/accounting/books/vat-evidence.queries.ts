import type { Db } from '#platform/database/client.ts'
import { saleOperation } from '#sales/invoices/sale-operation.ts'

/** Every sale that asked for the country, in the order in which they were paid, with its invoice where that is issued. */
export const listPlacedSales = (db: Db, between?: { begins: Date; ends: Date }) => {
  let query = db
    .selectFrom('payments')
    .leftJoin('live_invoices as invoices', 'invoices.order_id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.order_id',
      'payments.ended_at',
      'payments.method',
      saleOperation('payments.id').as('operation_id'),
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.amount_minor',
      'payments.currency',
      'payments.refunded_minor',
      'payments.vat_country',
      'payments.bank_country',
      'payments.network_country',
      'payments.vat_number',
      'payments.vat_number_standing',
      'payments.vat_number_consultation',
      'payments.vat_name',
      'payments.vies_name',
      'invoices.year',
      'invoices.number',
      'invoices.snapshot',
    ])
    .where('payments.status', '=', 'Success')
    .where('payments.refund_due', '=', false)
    .where('payments.vat_country', 'is not', null)
    .orderBy('payments.ended_at')
    .orderBy('payments.id')
  if (between)
    query = query
      .where('payments.ended_at', '>=', between.begins)
      .where('payments.ended_at', '<', between.ends)
  return query.execute()
}

export type PlacedSaleRow = Awaited<ReturnType<typeof listPlacedSales>>[number]
