import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { isRefundable, paidOf } from '#btcpay/invoices.ts'
import { bitcoinOf, decimalOf, isCurrency, minorOf } from '#btcpay/money.ts'
import { BtcpayProblem, invalid } from '#btcpay/problem.ts'
import {
  type Invoice,
  newId,
  nowInSeconds,
  type Payout,
  type PullPayment,
  type State,
} from '#btcpay/records.ts'
import type { RefundParams } from '#btcpay/shapes.ts'

/** Where a payout may go from where it is: by hand, or by a payout processor. */
export const MOVES: Readonly<Record<State, readonly State[]>> = {
  AwaitingApproval: ['AwaitingPayment', 'Cancelled'],
  AwaitingPayment: ['InProgress', 'Completed', 'Cancelled'],
  InProgress: ['Completed', 'AwaitingPayment'],
  Completed: [],
  Cancelled: [],
}

const BITCOIN = 'BTC'

const sumsOf = (invoice: Invoice, params: RefundParams): { amount: string; currency: string } => {
  const paid = paidOf(invoice)
  const { currency } = invoice
  switch (params.refundVariant) {
    case 'RateThen':
    case 'CurrentRate':
      return { amount: bitcoinOf(paid, currency), currency: BITCOIN }
    case 'Fiat':
      return { amount: decimalOf(paid), currency }
    case 'OverpaidAmount':
      if (invoice.additionalStatus !== 'PaidOver') throw invalid('refundVariant', 'Invoice is not overpaid')
      return { amount: bitcoinOf(paid - minorOf(invoice.amount), currency), currency: BITCOIN }
    case 'Custom': {
      const { customAmount, customCurrency } = params
      if (!customAmount || Number(customAmount) <= 0)
        throw invalid('customAmount', 'Amount must be greater than 0')
      if (!customCurrency || !(customCurrency === BITCOIN || isCurrency(customCurrency)))
        throw invalid('customCurrency', 'Invalid currency')
      return { amount: customAmount, currency: customCurrency }
    }
  }
}

export const refundInvoice = (server: BtcpayServer, invoice: Invoice, params: RefundParams): PullPayment => {
  if (!isRefundable(invoice))
    throw new BtcpayProblem(400, { code: 'non-refundable', message: 'Cannot refund this invoice' })
  const { amount, currency } = sumsOf(invoice, params)
  const pullPayment: PullPayment = {
    id: newId(),
    name: params.name ?? `Refund ${invoice.id}`,
    description: params.description ?? '',
    currency,
    amount,
    // The key here may not approve claims.
    autoApproveClaims: false,
    archived: false,
  }
  server.books.pullPayments.put(pullPayment)
  server.publish('InvoiceRefund', invoice.id, {
    invoiceId: invoice.id,
    metadata: invoice.metadata,
    pullPaymentId: pullPayment.id,
  })
  return pullPayment
}

export const presentPullPayment = (server: BtcpayServer, pullPayment: PullPayment) => ({
  ...pullPayment,
  BOLT11Expiration: '30',
  viewLink: `${server.publicUrl}/pull-payments/${pullPayment.id}`,
})

export const payoutsOf = (server: BtcpayServer, { id }: PullPayment, isWithCancelled = false): Payout[] =>
  server.books.payouts
    .all()
    .filter(({ pullPaymentId, state }) => pullPaymentId === id && (isWithCancelled || state !== 'Cancelled'))

export const leftOf = (server: BtcpayServer, pullPayment: PullPayment): number => {
  const claimed = payoutsOf(server, pullPayment).reduce(
    (sum, payout) => sum + Number(payout.originalAmount),
    0,
  )
  return Number((Number(pullPayment.amount) - claimed).toFixed(8))
}

const tell = (server: BtcpayServer, type: string, payout: Payout): void =>
  server.publish(type, payout.pullPaymentId, {
    payoutId: payout.id,
    pullPaymentId: payout.pullPaymentId,
    payoutState: payout.state,
  })

const bitcoinFor = (amount: string, currency: string): string =>
  currency === BITCOIN ? Number(amount).toFixed(8) : bitcoinOf(minorOf(amount), currency)

const refused = (code: string, message: string): BtcpayProblem => new BtcpayProblem(400, { code, message })

/** The customer asks for all that is left. */
export const claim = (server: BtcpayServer, pullPayment: PullPayment, destination: string): Payout => {
  const left = leftOf(server, pullPayment)
  if (pullPayment.archived) throw refused('archived', 'You cannot claim an archived pull payment')
  if (!/^(bc1|tb1|bcrt1|lnbc|[13])[a-zA-Z0-9]{6,200}$/.test(destination))
    throw invalid('destination', 'The destination must be an address or a BOLT11 invoice')
  if (left <= 0) throw refused('overdraft', 'The payout exceeds what is left')
  const payout: Payout = {
    id: newId(),
    revision: 0,
    pullPaymentId: pullPayment.id,
    date: nowInSeconds(),
    destination,
    originalCurrency: pullPayment.currency,
    originalAmount: String(left),
    payoutCurrency: BITCOIN,
    payoutAmount: null,
    payoutMethodId: 'BTC-CHAIN',
    state: 'AwaitingApproval',
    paymentProof: null,
    metadata: {},
  }
  server.books.payouts.put(payout)
  tell(server, 'PayoutCreated', payout)
  return payout
}

export const movePayout = (server: BtcpayServer, payout: Payout, state: unknown): boolean => {
  const to = MOVES[payout.state].find((each) => each === state)
  if (!to) return false
  payout.state = to
  payout.revision += 1
  if (to === 'AwaitingPayment' && payout.payoutAmount === null)
    payout.payoutAmount = bitcoinFor(payout.originalAmount, payout.originalCurrency)
  if (to === 'Completed') payout.paymentProof = { proofType: 'PayoutTransactionOnChainBlob', id: payout.id }
  server.books.payouts.put(payout)
  tell(server, to === 'AwaitingPayment' ? 'PayoutApproved' : 'PayoutUpdated', payout)
  return true
}

/** With what was claimed and is not being paid yet. */
export const archivePullPayment = (server: BtcpayServer, pullPayment: PullPayment): void => {
  server.books.pullPayments.put(Object.assign(pullPayment, { archived: true }))
  for (const payout of payoutsOf(server, pullPayment)) movePayout(server, payout, 'Cancelled')
}
