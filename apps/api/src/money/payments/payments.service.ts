import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { presentAttempt } from '#money/payments/payments.present.ts'
import { type ListedPayment, readPayments } from '#money/payments/payments.queries.ts'
import { hasMoney } from '#money/refunds/paid-sum.ts'
import { listReferences, listRefunds, type RefundRow } from '#money/refunds/refunds.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { LISTED_AT_ONCE, type Page } from '#platform/http/list-page.ts'
import { correctionsOf, creditNoteNumbers } from '#sales/invoices/credit-notes.service.ts'

export { deleteOldCounts, forgetNetworks } from '#money/payments/attempts/velocity.queries.ts'
export { findPayment, listSteps } from '#money/payments/payments.queries.ts'
export { forgetOldPlaces } from '#money/payments/place-of-sale/place-of-sale.queries.ts'

/** A closed refusal is not shown: its customer would ask for money that has come. */
const isShown = ({ closed_at }: RefundRow): boolean => closed_at === null

/**
 * Every attempt of the account to pay, whatever became of it, with what was given back: a page of them. Throws
 * 'cursor-invalid'.
 */
export const listPayments = async (
  { db, settings }: With<'db' | 'settings'>,
  customerId: string,
  after?: string,
): Promise<Page<PaymentHistoryItem>> => {
  const { rows, next } = await readPayments(db, customerId, LISTED_AT_ONCE, after)
  const ids = rows.filter(hasMoney).map(({ id }) => id)
  const refunds = Map.groupBy(await listRefunds(db, ids), ({ payment_id }) => payment_id)
  const refunded = [...refunds.keys()]
  const known = {
    creditNotes: await creditNoteNumbers({ db }, refunded),
    references: await listReferences(db, refunded),
    corrections: await correctionsOf({ db }, ids),
    statementDescriptor: settings.statementDescriptor,
  }
  const present = (row: ListedPayment) =>
    presentAttempt(row, (refunds.get(row.id) ?? []).filter(isShown), known)
  return { rows: rows.map(present), next }
}
