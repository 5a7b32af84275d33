import { CODES } from '#payments/codes.ts'
import { type Operation, type Payment, receivedOf, saleOf } from '#payments/payment.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

const presentBookOperation = (operation: Operation) => ({
  id: operation.id,
  type: operation.type,
  status: operation.status,
  amount: operation.amount,
  code: operation.code,
  message: CODES[operation.code],
  requestId: operation.requestId,
  authCode: operation.authCode ?? null,
  merchantRefundId: operation.merchantRefundId ?? null,
  createdAt: iso(operation.createdAt),
  updatedAt: iso(operation.updatedAt),
})

/** The money is the merchant's from here on; what is promised is not settled yet. */
export const settledAmount = (payment: Payment): number =>
  saleOf(payment).status === 'success' && payment.status !== 'awaiting confirmation' && !isNeverPaid(payment)
    ? receivedOf(payment).amount
    : 0

/** What was promised did not come. */
const isNeverPaid = ({ operations }: Payment): boolean =>
  operations.some(({ type, status }) => type === 'payment confirmation' && status === 'decline')

const refundedAmount = (payment: Payment): number => receivedOf(payment).amount - payment.remaining

export const presentBookEntry = (payment: Payment) => ({
  id: payment.id,
  method: payment.method,
  status: payment.status,
  amount: payment.amount,
  settled: settledAmount(payment),
  refunded: refundedAmount(payment),
  remaining: payment.remaining,
  currency: payment.currency,
  /** What came and is counted as settled, where that is not what was asked for. */
  received: payment.received ?? null,
  description: payment.description,
  customerId: payment.customerId,
  account: payment.account ?? null,
  bank: payment.bank ?? null,
  waitsFor: payment.wait?.action ?? null,
  challengesMade: payment.challengesMade,
  callbackUrl: payment.callbackUrl ?? null,
  callbacks: { tried: payment.callbacks.tried, delivered: payment.callbacks.delivered },
  errors: payment.errors ?? [],
  operations: payment.operations.map(presentBookOperation),
  chargebacks: payment.chargebacks ?? [],
  createdAt: iso(payment.createdAt),
  updatedAt: iso(payment.updatedAt),
})

/** By what an object may not be given as its key, whatever it is. */
type Sums = Map<string, number>

const add = (sums: Sums, name: string, amount: number): void => {
  if (amount > 0) sums.set(name, (sums.get(name) ?? 0) + amount)
}

/** All money that came in and went back, by currency, in minor units. */
export const presentTotals = (payments: Iterable<Payment>) => {
  const statuses: Sums = new Map()
  const settled: Sums = new Map()
  const refunded: Sums = new Map()
  let count = 0
  for (const payment of payments) {
    count += 1
    add(statuses, payment.status, 1)
    const { currency } = receivedOf(payment)
    add(settled, currency, settledAmount(payment))
    add(refunded, currency, refundedAmount(payment))
  }
  return {
    payments: count,
    statuses: Object.fromEntries(statuses),
    settled: Object.fromEntries(settled),
    refunded: Object.fromEntries(refunded),
  }
}
