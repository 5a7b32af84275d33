import { randomBytes } from 'node:crypto'
import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { bitcoinOf, decimalOf, minorOf, rateOf } from '#btcpay/money.ts'
import { type Invoice, type Method, newId, nowInSeconds, type Payment } from '#btcpay/records.ts'
import { type InvoiceParams, PAYMENT_METHODS, SPEEDS } from '#btcpay/shapes.ts'

const MINUTE_S = 60
const MOST_PAYMENTS = 50

const paidBy = (payments: readonly Payment[]): number =>
  payments.filter(({ status }) => status !== 'Invalid').reduce((sum, { minor }) => sum + minor, 0)
const leastOf = ({ amount, checkout }: Invoice): number =>
  Math.ceil(minorOf(amount) * (1 - checkout.paymentTolerance / 100))

export const paidOf = ({ payments }: Invoice): number => paidBy(payments)
export const dueOf = (invoice: Invoice): number => Math.max(minorOf(invoice.amount) - paidOf(invoice), 0)

const marksFor = ({ status, additionalStatus }: Invoice): ('Settled' | 'Invalid')[] => [
  ...(status !== 'Settled' ? (['Settled'] as const) : []),
  ...(['New', 'Processing', 'Expired'].includes(status) ||
  (additionalStatus === 'Marked' && status !== 'Invalid')
    ? (['Invalid'] as const)
    : []),
]

export const isRefundable = ({ status, additionalStatus }: Invoice): boolean =>
  ['Settled', 'Invalid'].includes(status) ||
  (status === 'Expired' && ['PaidLate', 'PaidOver', 'PaidPartial'].includes(additionalStatus))

export const presentInvoice = (server: BtcpayServer, invoice: Invoice) => {
  const { payments: _payments, ...rest } = invoice
  return {
    ...rest,
    storeId: server.settings.btcpayStore,
    paidAmount: decimalOf(paidOf(invoice)),
    type: 'Standard',
    checkoutLink: `${server.publicUrl}/i/${invoice.id}`,
    availableStatusesForManualMarking: marksFor(invoice),
    receipt: { enabled: null, showQR: null, showPayments: null },
  }
}

const destinationOf = ({ id }: Invoice, method: Method): string =>
  `${method === 'BTC-LN' ? 'lnbc1' : 'bc1q'}${Buffer.from(id).toString('hex')}`

const presentPayment = (invoice: Invoice, payment: Payment) => ({
  id: payment.id,
  receivedDate: payment.receivedDate,
  value: bitcoinOf(payment.minor, invoice.currency),
  fee: '0',
  status: payment.status,
  destination: destinationOf(invoice, payment.method),
})

/** Per coin; replaced payments are shown to whoever asks for them too. */
export const presentMethods = (invoice: Invoice, isOnlyAccounted = true) =>
  invoice.checkout.paymentMethods.map((method) => {
    const payments = invoice.payments.filter((payment) => payment.method === method)
    const destination = destinationOf(invoice, method)
    return {
      paymentMethodId: method,
      currency: 'BTC',
      activated: true,
      destination,
      paymentLink: `${method === 'BTC-LN' ? 'lightning' : 'bitcoin'}:${destination}`,
      rate: String(rateOf(invoice.currency)),
      paymentMethodPaid: bitcoinOf(paidBy(payments), invoice.currency),
      totalPaid: bitcoinOf(paidOf(invoice), invoice.currency),
      due: bitcoinOf(dueOf(invoice), invoice.currency),
      amount: bitcoinOf(minorOf(invoice.amount), invoice.currency),
      paymentMethodFee: '0',
      payments: payments
        .filter(({ status }) => !isOnlyAccounted || status !== 'Invalid')
        .map((payment) => presentPayment(invoice, payment)),
      additionalData: {},
    }
  })

const tell = (server: BtcpayServer, { id, metadata }: Invoice, type: string, rest: object = {}): void =>
  server.publish(type, id, { invoiceId: id, metadata, ...rest })

const tellOfPayment = (server: BtcpayServer, invoice: Invoice, payment: Payment, type: string): void =>
  tell(server, invoice, type, {
    afterExpiration: payment.receivedDate > invoice.expirationTime,
    paymentMethodId: payment.method,
    payment: presentPayment(invoice, payment),
  })

type Said = [type: string, rest?: object]

/** What time and money have made of it, one step after another, as the real server's watcher has it. */
const steps: ((invoice: Invoice, now: number) => Said[])[] = [
  (invoice, now) => {
    if (invoice.status !== 'New' || invoice.expirationTime > now) return []
    invoice.status = 'Expired'
    const partiallyPaid = invoice.additionalStatus === 'PaidPartial'
    return [
      ['InvoiceExpired', { partiallyPaid }],
      ...(partiallyPaid ? ([['InvoiceExpiredPaidPartial', { partiallyPaid }]] satisfies Said[]) : []),
    ]
  },
  (invoice) => {
    if (invoice.status !== 'New' && invoice.status !== 'Expired') return []
    const paid = paidOf(invoice)
    if (paid < leastOf(invoice)) {
      if (paid > 0) invoice.additionalStatus = 'PaidPartial'
      return []
    }
    const overPaid = paid > minorOf(invoice.amount)
    if (invoice.status === 'New') {
      invoice.status = 'Processing'
      invoice.additionalStatus = overPaid ? 'PaidOver' : 'None'
      return [['InvoiceProcessing', { overPaid }]]
    }
    if (invoice.additionalStatus === 'PaidLate') return []
    invoice.additionalStatus = 'PaidLate'
    return [['InvoicePaidAfterExpiration']]
  },
  (invoice) => {
    if (invoice.status !== 'Processing') return []
    const paid = paidOf(invoice)
    invoice.additionalStatus = paid > minorOf(invoice.amount) ? 'PaidOver' : 'None'
    if (paid >= leastOf(invoice)) return []
    // Replaced by a transaction that pays somebody else.
    invoice.status = 'New'
    if (paid > 0) invoice.additionalStatus = 'PaidPartial'
    return []
  },
  (invoice, now) => {
    if (invoice.status !== 'Processing') return []
    const settled = paidBy(invoice.payments.filter(({ status }) => status === 'Settled'))
    if (settled >= leastOf(invoice)) {
      invoice.status = 'Settled'
      return [
        ['InvoiceSettled', { manuallyMarked: false, overPaid: invoice.additionalStatus === 'PaidOver' }],
      ]
    }
    if (invoice.monitoringExpiration >= now) return []
    invoice.status = 'Invalid'
    return [['InvoiceInvalid', { manuallyMarked: false }]]
  },
]

/** Looks at it again, and once more when its time is over. */
export const watchInvoice = (server: BtcpayServer, invoice: Invoice): void => {
  const now = nowInSeconds()
  const said = steps.flatMap((step) => step(invoice, now))
  server.books.invoices.put(invoice)
  for (const [type, rest] of said) tell(server, invoice, type, rest)
  const ends = { New: invoice.expirationTime, Processing: invoice.monitoringExpiration + 1 }
  const end = ends[invoice.status as keyof typeof ends]
  if (end !== undefined) server.at(end, () => isAt(invoice, end) && watchInvoice(server, invoice))
}
/** Whether the time that was waited for is still the one: a timer of an earlier state ends there. */
const isAt = ({ status, expirationTime, monitoringExpiration }: Invoice, end: number): boolean =>
  (status === 'New' && expirationTime === end) ||
  (status === 'Processing' && monitoringExpiration + 1 === end)

export const createInvoice = (server: BtcpayServer, params: InvoiceParams): Invoice => {
  const { checkout } = params
  const createdTime = nowInSeconds()
  const expirationMinutes = checkout.expirationMinutes ?? 15
  const monitoringMinutes = checkout.monitoringMinutes ?? 1_440
  const expirationTime = createdTime + Math.round(expirationMinutes * MINUTE_S)
  const invoice: Invoice = {
    id: newId(),
    amount: params.amount,
    currency: params.currency,
    metadata: params.metadata,
    checkout: {
      speedPolicy: checkout.speedPolicy ?? 'MediumSpeed',
      expirationMinutes,
      monitoringMinutes,
      paymentTolerance: checkout.paymentTolerance ?? 0,
      paymentMethods: checkout.paymentMethods?.length ? checkout.paymentMethods : PAYMENT_METHODS,
      redirectURL: checkout.redirectURL ?? null,
      redirectAutomatically: checkout.redirectAutomatically ?? false,
      defaultLanguage: checkout.defaultLanguage ?? null,
    },
    createdTime,
    expirationTime,
    monitoringExpiration: expirationTime + Math.round(monitoringMinutes * MINUTE_S),
    status: 'New',
    additionalStatus: 'None',
    payments: [],
    archived: false,
  }
  tell(server, invoice, 'InvoiceCreated')
  watchInvoice(server, invoice)
  return invoice
}

export const markInvoice = (
  server: BtcpayServer,
  invoice: Invoice,
  status: 'Settled' | 'Invalid',
): boolean => {
  if (!marksFor(invoice).includes(status)) return false
  Object.assign(invoice, { status, additionalStatus: 'Marked' })
  server.books.invoices.put(invoice)
  tell(server, invoice, `Invoice${status}`, {
    manuallyMarked: true,
    ...(status === 'Settled' && { overPaid: false }),
  })
  return true
}

const isConfirmed = ({ checkout }: Invoice, { method, confirmations }: Payment): boolean =>
  method === 'BTC-LN' || confirmations >= SPEEDS[checkout.speedPolicy]

const settlePayments = (server: BtcpayServer, invoice: Invoice): void => {
  for (const payment of invoice.payments) {
    if (payment.status !== 'Processing' || !isConfirmed(invoice, payment)) continue
    payment.status = 'Settled'
    tellOfPayment(server, invoice, payment, 'InvoicePaymentSettled')
  }
}

const receive = (
  server: BtcpayServer,
  invoice: Invoice,
  minor: number,
  method: Method = 'BTC-CHAIN',
): void => {
  if (minor <= 0 || invoice.payments.length >= MOST_PAYMENTS) return
  const payment: Payment = {
    id: randomBytes(32).toString('hex'),
    method,
    minor,
    receivedDate: nowInSeconds(),
    confirmations: 0,
    status: 'Processing',
  }
  invoice.payments.push(payment)
  tellOfPayment(server, invoice, payment, 'InvoiceReceivedPayment')
  settlePayments(server, invoice)
}

/** Its time is over at once. */
const expire = (server: BtcpayServer, invoice: Invoice): void => {
  invoice.expirationTime = Math.min(invoice.expirationTime, nowInSeconds() - 1)
  watchInvoice(server, invoice)
}

/** What the customer does in a wallet, and what becomes of it in the network: as the page's buttons name it. */
const ACTS = new Map<string, (server: BtcpayServer, invoice: Invoice) => void>([
  ['full', (server, invoice) => receive(server, invoice, dueOf(invoice))],
  ['lightning', (server, invoice) => receive(server, invoice, dueOf(invoice), 'BTC-LN')],
  ['part', (server, invoice) => receive(server, invoice, Math.round(minorOf(invoice.amount) * 0.6))],
  ['over', (server, invoice) => receive(server, invoice, Math.round(minorOf(invoice.amount) * 1.5))],
  ['expire', expire],
  [
    'late',
    (server, invoice) => {
      expire(server, invoice)
      receive(server, invoice, dueOf(invoice))
    },
  ],
  [
    'replace',
    (_server, { payments }) => {
      const last = payments.findLast(
        ({ status, method }) => status === 'Processing' && method === 'BTC-CHAIN',
      )
      if (last) last.status = 'Invalid'
    },
  ],
  [
    'confirm',
    (server, invoice) => {
      for (const payment of invoice.payments) payment.confirmations += 1
      settlePayments(server, invoice)
    },
  ],
  [
    'stuck',
    (_server, invoice) => {
      invoice.monitoringExpiration = nowInSeconds() - 1
    },
  ],
])

export const act = (server: BtcpayServer, invoice: Invoice, name: string): boolean => {
  const work = ACTS.get(name)
  if (!work) return false
  work(server, invoice)
  watchInvoice(server, invoice)
  return true
}
