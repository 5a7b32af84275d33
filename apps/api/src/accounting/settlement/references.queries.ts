import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** What each payment was for, and its invoice. */
export const listPaymentReferences = (db: Db, paymentIds: readonly string[]) =>
  db
    .selectFrom('payments')
    .leftJoin('invoices', (join) =>
      join.onRef('invoices.order_id', '=', 'payments.order_id').on('payments.is_invoiced', '=', true),
    )
    .select(['payments.id', 'payments.order_id', 'payments.amount_minor', 'payments.currency'])
    .select(['invoices.year', 'invoices.number'])
    .where('payments.id', 'in', paymentIds)
    .execute()

/** The refunds of payments, and their credit notes. */
export const listRefundReferences = (db: Db, paymentIds: readonly string[]) =>
  db
    .selectFrom('refunds')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'refunds.id')
    .select(['refunds.id', 'credit_notes.year', 'credit_notes.number'])
    .select(sql<string | null>`credit_notes.snapshot ->> 'totalMinor'`.as('total_minor'))
    .where('refunds.payment_id', 'in', paymentIds)
    .execute()

/** The payment that each order has its invoice for. */
export const listInvoicedPayments = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('payments')
    .select(['id', 'order_id'])
    .where('order_id', 'in', orderIds)
    .where('is_invoiced', '=', true)
    .execute()
