import { isFinal, PARTIALLY_PAID } from '@hedgerow/domain/payment-status'
import { sql } from 'kysely'
import type { GateDetails, PaymentUpdate, Sum } from '#money/gateway/payment-update.ts'
import { type PaymentWithOrder, updatePaymentIfUnchanged } from '#money/payments/payments.queries.ts'
import { ended, endWithout, type Telling } from '#money/payments/updates/end-payment.ts'
import { recordRefund } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** The largest sum that the books hold. */
export const MOST_MINOR = 2_147_483_647

/** Whether a sum is one that may have come: more than nothing, in a currency, and no more than the books can hold. */
const isSum = ({ amount, currency }: Sum): boolean =>
  amount > 0 && amount <= MOST_MINOR && /^[A-Z]{3}$/.test(currency)

const isAsked = (row: PaymentWithOrder, { amount, currency }: Sum): boolean =>
  amount === row.charged_minor && currency === row.charged_currency

/**
 * Whether the update has the sum that was asked for. One that ends without money counts whatever its sum: nothing is
 * delivered for it.
 */
export const matches = (
  row: PaymentWithOrder,
  { status, amountMinor, currency, paid }: PaymentUpdate,
): boolean => {
  if (status === 'Success') return paid === undefined || isAsked(row, paid) || isSum(paid)
  if (isFinal(status)) return true
  return (
    (amountMinor === undefined || amountMinor === row.charged_minor) &&
    (currency === undefined || currency === row.charged_currency)
  )
}

/** What came, where it is not what was asked for: of a success, or of a payment of which only a part was paid. */
export const otherSum = (
  row: PaymentWithOrder,
  { status, gateStatus, paid }: PaymentUpdate,
): Sum | undefined =>
  (status === 'Success' || gateStatus === PARTIALLY_PAID) && paid && isSum(paid) && !isAsked(row, paid)
    ? paid
    : undefined

/**
 * Another sum came than was asked for, or another currency: that buys nothing. It is recorded as received, and with it
 * a refund of all of it; the order can be paid again. False when the payment has changed meanwhile.
 */
export const applyOtherSum = (
  deps: With<'db'> & Telling,
  row: PaymentWithOrder,
  { amount, currency }: Sum,
  details: GateDetails,
): Promise<boolean> => {
  const asked = { minor: row.charged_minor, currency: row.charged_currency }
  deps.log.error(
    { paymentId: row.id, orderId: row.order_id, asked, received: { minor: amount, currency } },
    'a different amount arrived than was due: it buys nothing and is refunded',
  )
  const change = {
    ...ended(row, 'Error', details),
    received_minor: amount,
    received_currency: currency,
    refund_due: true,
  }
  return endWithout(deps, row, change, (trx) => recordRefund(trx, row, amount, 'other-sum'))
}

/**
 * The gateway reports the received sum again, after another sum was recorded. A higher one goes back with the rest, or is left for
 * the operator to refund; nothing is delivered for it, since the money may be on its way back. What else differs is for
 * the operator to see. Undefined when the payment has changed meanwhile.
 */
export const correctOtherSum = async (
  { db, log }: With<'db'> & Telling,
  row: PaymentWithOrder,
  { status, gateStatus, paid }: PaymentUpdate,
): Promise<'applied' | 'nothing-new' | undefined> => {
  if ((status !== 'Success' && gateStatus !== PARTIALLY_PAID) || !paid || !isSum(paid)) return 'nothing-new'
  const isSame = paid.currency === row.received_currency
  if (isSame && paid.amount === row.received_minor) return 'nothing-new'
  const received = { minor: row.received_minor, currency: row.received_currency }
  log.error({ paymentId: row.id, received, now: paid }, 'the gateway corrected the amount of a payment')
  if (!isSame || paid.amount < (row.received_minor ?? 0)) return 'nothing-new'
  const isUpdated = await updatePaymentIfUnchanged(db, row, { received_minor: paid.amount })
  return isUpdated ? 'applied' : undefined
}

/** More came than was asked for: what was bought is delivered, and the rest is owed until the operator has settled it. */
export const noteOver = async (
  { db, log }: With<'db'> & Telling,
  paymentId: string,
  overMinor: number,
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ over_minor: Math.min(overMinor, MOST_MINOR), over_settled_at: null })
    .where('id', '=', paymentId)
    .where('status', '=', 'Success')
    .where(sql<boolean>`coalesce(over_minor, 0) < ${Math.min(overMinor, MOST_MINOR)}`)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) log.warn({ paymentId, overMinor }, 'more arrived than was due: the rest is owed')
}

/** The rest has gone back, or the customer lets the shop keep it. False where nothing is owed. */
export const settleOver = async (db: Db, paymentId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ over_settled_at: sql<Date>`now()` })
    .where('id', '=', paymentId)
    .where('over_minor', 'is not', null)
    .where('over_settled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
