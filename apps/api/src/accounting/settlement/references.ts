import { creditNoteNumber, invoiceNumberOrNull } from '@hedgerow/domain/invoices'
import { pairOperations, type Sum } from '@hedgerow/domain/settlement'
import { inChunks, type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import { listOfPayments } from '#accounting/settlement/operations.queries.ts'
import {
  listInvoicedPayments,
  listPaymentReferences,
  listRefundReferences,
} from '#accounting/settlement/references.queries.ts'
import { listEntriesOf } from '#accounting/settlement/shop-entries.queries.ts'
import type { Db } from '#platform/database/client.ts'

type PaymentReference = { orderId: string; invoice: string | null; total: Sum }
type RefundReference = { creditNote: string | null; totalMinor: number | null }

/** What leads from a row of one export to the rows of the others. */
export type References = {
  payments: ReadonlyMap<string, PaymentReference>
  refunds: ReadonlyMap<string, RefundReference>
  /** By the payment's id for its sale, and the refund's for what went back. */
  operations: ReadonlyMap<string, string>
  /** The refund that an operation is. */
  refundOf: ReadonlyMap<string, string>
  /** The lost dispute whose money an operation brought back. */
  recoveryOf: ReadonlyMap<string, string>
}

/** Of payments, however many: their papers, and what the gateway booked for them, whenever that was. */
export const readReferences = async (db: Db, paymentIds: readonly string[]): Promise<References> => {
  const payments = new Map<string, PaymentReference>()
  const refunds = new Map<string, RefundReference>()
  const operations = new Map<string, string>()
  const refundOf = new Map<string, string>()
  const recoveryOf = new Map<string, string>()
  for (const ids of inChunks([...new Set(paymentIds)])) {
    for (const row of await listPaymentReferences(db, ids))
      payments.set(row.id, {
        orderId: row.order_id,
        invoice: invoiceNumberOrNull(row.year, row.number),
        total: { minor: row.amount_minor, currency: row.currency },
      })
    for (const row of await listRefundReferences(db, ids))
      refunds.set(row.id, {
        creditNote: row.year === null || row.number === null ? null : creditNoteNumber(row.year, row.number),
        totalMinor: row.total_minor === null ? null : Number(row.total_minor),
      })
    const booked = (await listOfPayments(db, ids)).map(operationOf)
    const entries = await listEntriesOf(db, ids)
    // What the shop heard of a refund counts until the gateway has booked it.
    for (const { id, kind, operationId } of entries)
      if (kind === 'refund' && operationId) operations.set(id, operationId)
    for (const [{ id }, entry] of pairOperations(booked, entries)) {
      operations.set(entry.id, id)
      if (refunds.has(entry.id)) refundOf.set(id, entry.id)
      if (entry.kind === 'recovery') recoveryOf.set(id, entry.id)
    }
  }
  return { payments, refunds, operations, refundOf, recoveryOf }
}

/** In the currency of the invoice: its total, or that of the credit note; signed as the balance changed. */
export const totalOf = (operation: Operation, references: References): Sum | undefined => {
  const payment = references.payments.get(operation.paymentId ?? '')
  if (operation.kind === 'sale') return payment?.total
  const minor = references.refunds.get(references.refundOf.get(operation.id) ?? '')?.totalMinor
  return payment && typeof minor === 'number' ? { ...payment.total, minor: -minor } : undefined
}

/** The payment of each order that has an invoice. */
export const readInvoicedPayments = async (
  db: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = orderIds.length === 0 ? [] : await listInvoicedPayments(db, orderIds)
  return new Map(rows.map(({ id, order_id }) => [order_id, id]))
}
