/** A payment as the sandbox's books keep it (apps/sandbox/src/payments/payment.ts): what is written here it goes on with. */
export type BookedOperation = {
  id: number
  type: 'sale' | 'refund'
  status: 'processing' | 'success' | 'decline'
  code: string
  amount: number
  requestId: string
  createdAt: number
  updatedAt: number
  authCode?: string
  merchantRefundId?: string
}

export type BookedChargeback = {
  id: number
  stage: 'chargeback'
  status: 'new' | 'challenged' | 'won' | 'lost'
  reasonCode: string
  amount: number
  createdAt: number
  updatedAt: number
  completedAt?: number
}

export type BookedPayment = {
  id: string
  method: string
  status: string
  amount: number
  remaining: number
  currency: string
  description: string
  createdAt: number
  updatedAt: number
  customerId: string
  returnUrls: object
  account?: { number: string; type: string; card_holder: string; expiry_month: string; expiry_year: string }
  bank?: { id: number; name: string }
  plan: { actions: string[]; code: string }
  challengesMade: number
  operations: BookedOperation[]
  chargebacks?: BookedChargeback[]
  callbacks: { tried: number; delivered: number }
}

/** What is on the balance besides the payments' own operations (apps/sandbox/src/books/bookings.ts). */
export type Booking = {
  id: number
  type: 'chargeback' | 'representment'
  amount: number
  currency: string
  fee: number
  paymentId: string
  description: string
  createdAt: number
}

/** The gateway's dates: to the second, UTC. */
const wireDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+0000`

const presentOperation = (payment: BookedPayment, operation: BookedOperation) => ({
  id: operation.id,
  type: operation.type,
  status: operation.status,
  date: wireDate(operation.updatedAt),
  request_id: operation.requestId,
  merchant_refund_id: operation.merchantRefundId,
  code: operation.code,
  sum_initial: { amount: operation.amount, currency: payment.currency },
  provider: { auth_code: operation.authCode ?? '' },
})

/** What the gateway tells of a payment in a callback (gate.md §3): of one operation, and of what the customer has to do. */
export const callbackOf = (
  payment: BookedPayment,
  operation: BookedOperation,
  projectId: number,
  shown: object = {},
): object => ({
  project_id: projectId,
  payment: {
    id: payment.id,
    status: payment.status,
    date: wireDate(payment.updatedAt),
    method: payment.method,
    sum: { amount: payment.remaining, currency: payment.currency },
  },
  customer: { id: payment.customerId },
  ...(payment.account ? { account: payment.account } : {}),
  ...shown,
  operation: presentOperation(payment, operation),
})

/** The lines of the sandbox's file. */
export const journalOf = (payments: Iterable<BookedPayment>, bookings: readonly Booking[]): string =>
  [
    ...Array.from(payments, (payment) => ({ kind: 'payment', payment })),
    ...bookings.map((booking) => ({ kind: 'booking', booking })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
