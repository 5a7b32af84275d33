import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import type { With } from '#dependencies.ts'
import { creditNoteNumbers } from '#invoices/credit-notes.service.ts'
import { presentAttempt } from '#payments/payments.present.ts'
import { listPaymentRows } from '#payments/payments.queries.ts'
import { hasMoney } from '#refunds/paid-sum.ts'
import { listRefunds, type RefundRow } from '#refunds/refunds.service.ts'

export { noteBankCountry } from '#payments/note-bank-country.ts'
export { findPayment, listSteps } from '#payments/payments.queries.ts'
export { forgetOldPlaces } from '#payments/place-of-sale.queries.ts'
export { deleteOldCounts, forgetNetworks } from '#payments/velocity.queries.ts'

const LISTED = 200

/** A refusal that was settled since would only have its customer ask for money that has come. */
const isTold = ({ closed_at }: RefundRow): boolean => closed_at === null

/** Every attempt of the account to pay, whatever became of it, with what was given back. */
export const listPayments = async ({ db }: With<'db'>, customerId: string): Promise<PaymentHistoryItem[]> => {
  const rows = await listPaymentRows(db, customerId, LISTED)
  const ids = rows.filter(hasMoney).map(({ id }) => id)
  const refunds = Map.groupBy(await listRefunds(db, ids), ({ payment_id }) => payment_id)
  const creditNotes = await creditNoteNumbers({ db }, [...refunds.keys()])
  return rows.map((row) => presentAttempt(row, (refunds.get(row.id) ?? []).filter(isTold), creditNotes))
}
