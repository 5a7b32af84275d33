import type { Gateway } from '#gateway/gateway.ts'
import { chargedBack, type Operation, type Payment, receivedOf, saleOf } from '#payments/payment.ts'

/** The money is promised from the moment a refund is accepted: two at once cannot pay out more than was paid; what was charged back is gone. */
export const refundable = (payment: Payment): number =>
  payment.remaining -
  chargedBack(payment) -
  sumOf(payment.operations.filter((each) => each !== saleOf(payment) && isRunning(each)))

const isRunning = (operation: Operation): boolean => operation.status === 'processing'
const sumOf = (operations: Operation[]): number => operations.reduce((sum, each) => sum + each.amount, 0)

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * On the day of the sale the whole sum of a card can still be called back; Visa and Amex look at the day alone. What
 * was not paid by card is always paid back.
 */
export const refundType = (payment: Payment, amount: number, now: number): 'refund' | 'reversal' => {
  if (!payment.account || dayOf(payment.createdAt) !== dayOf(now)) return 'refund'
  const isDayEnough = payment.account.type === 'visa' || payment.account.type === 'amex'
  return isDayEnough || amount === receivedOf(payment).amount ? 'reversal' : 'refund'
}

/** Refunds of such sums fail, as if the merchant had nothing left to pay them from: 4.13, 20.13. */
const isUnfunded = (amount: number): boolean => amount % 100 === 13

export const finishRefund = (gateway: Gateway, payment: Payment, operation: Operation): void => {
  const updatedAt = Date.now()
  if (isUnfunded(operation.amount)) {
    Object.assign(operation, { status: 'decline', code: '3028', updatedAt })
  } else {
    payment.remaining -= operation.amount
    const done = operation.type === 'reversal' ? 'reversed' : 'refunded'
    payment.status = payment.remaining === 0 ? done : `partially ${done}`
    Object.assign(operation, { status: 'success', code: '0', updatedAt })
  }
  gateway.publish(payment, operation)
}
