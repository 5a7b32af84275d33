import {
  AWAITING_CONFIRMATION,
  NOT_CONFIRMED,
  PART_HAS_COME,
  PARTIALLY_PAID,
  type PaymentStatus,
} from '@hedgerow/domain/payment-status'
import * as z from 'zod/mini'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'

export const text = z.string().check(z.maxLength(500))
export const decimal = z.string().check(z.regex(/^\d{1,12}(\.\d{1,30})?$/))
export const link = z.string().check(z.maxLength(2_000), z.regex(/^https?:\/\//))

const Invoice = z.object({
  id: text,
  storeId: text,
  amount: decimal,
  /** Older servers do not say it. */
  paidAmount: z.catch(z.optional(decimal), undefined),
  currency: text,
  status: text,
  additionalStatus: text,
  checkoutLink: link,
  metadata: z.object({ orderId: text }),
  checkout: z.catch(z.optional(z.object({ redirectURL: text })), undefined),
})
export type Invoice = z.infer<typeof Invoice>

export const readInvoice = (body: unknown): Invoice | undefined => z.safeParse(Invoice, body).data

export const readInvoices = (body: unknown): Invoice[] =>
  (Array.isArray(body) ? body : []).flatMap((one) => readInvoice(one) ?? [])

const Methods = z.array(
  z.object({
    rate: z.catch(decimal, '0'),
    payments: z.array(
      z.object({ value: decimal, fee: z.catch(z.optional(decimal), undefined), status: text }),
    ),
  }),
)

/** What has been confirmed of an invoice, in its currency, by its payments in coin; undefined for what is no such list. */
export const readConfirmed = (body: unknown): number | undefined => {
  const { data } = z.safeParse(Methods, body)
  const sums = data?.flatMap(({ rate, payments }) =>
    payments.map(({ value, fee = '0', status }) =>
      status === 'Settled' ? (Number(value) - Number(fee)) * Number(rate) : 0,
    ),
  )
  return sums && Math.round(sums.reduce((sum, one) => sum + one, 0) * 100)
}

/** All currencies of the shop have two decimals. What came in bitcoin has more of them. */
export const minorOf = (value: string): number => Math.round(Number(value) * 100)

/** What was seen of it. */
const partOf = ({ paidAmount }: Invoice, confirmed: number): number =>
  paidAmount === undefined ? confirmed : minorOf(paidAmount)

/** A sum in coin is rounded. */
const ROUNDED_MINOR = 1

/** Whether it may bring money. */
export const hasMoney = (invoice: Invoice): boolean =>
  invoice.status === 'Settled' || invoice.status === 'Processing' || isUnproven(invoice)

/** What came after its time, or in part, of which the server says no more than that it was seen: it may be replaced yet. */
export const isUnproven = ({ status, additionalStatus }: Invoice): boolean =>
  status === 'Expired' && additionalStatus !== 'None'

/**
 * Money that came late is a success here once it is confirmed, which the shop may refuse: the server leaves such an invoice at
 * 'Expired' for ever. What no block has confirmed in time may still come: it stays promised, and is asked about.
 */
const statusOf = (invoice: Invoice, confirmed: number): PaymentStatus => {
  const { status, additionalStatus } = invoice
  const part = partOf(invoice, confirmed)
  switch (status) {
    case 'Settled':
      return 'Success'
    case 'Processing':
      return 'processing'
    case 'Expired':
      if (part === 0 || additionalStatus === 'None') return 'Decline'
      if (confirmed + ROUNDED_MINOR < part) return 'processing'
      return part + ROUNDED_MINOR < minorOf(invoice.amount) ? 'Error' : 'Success'
    case 'Invalid':
      return part > 0 && additionalStatus !== 'Marked' ? 'processing' : 'Decline'
    default:
      return 'awaiting redirect result'
  }
}

/** The word that the shop has for it, where it has one. */
const wordOf = (status: PaymentStatus, invoice: Invoice): string => {
  const { status: theirs, additionalStatus } = invoice
  if (status === 'processing') return theirs === 'Invalid' ? NOT_CONFIRMED : AWAITING_CONFIRMATION
  if (status === 'Error') return PARTIALLY_PAID
  if (theirs === 'New' && additionalStatus === 'PaidPartial') return PART_HAS_COME
  return additionalStatus === 'None' ? theirs : `${theirs}, ${additionalStatus}`
}

/** What is over; of late money, what of it is confirmed. */
const overOf = (invoice: Invoice, amount: number, confirmed: number): number => {
  const over = (isUnproven(invoice) ? confirmed : partOf(invoice, confirmed)) - amount
  return over > ROUNDED_MINOR ? over : 0
}

/** What an invoice says, in the words of the shop. Too much counts as all, and what is over by itself. */
export const updateOf = (invoice: Invoice, paymentId: string, at: Date, confirmed = 0): PaymentUpdate => {
  const status = statusOf(invoice, confirmed)
  const amount = minorOf(invoice.amount)
  const currency = invoice.currency.toUpperCase()
  const received = { Success: amount, Error: partOf(invoice, confirmed) }[status as 'Success' | 'Error']
  return {
    paymentId,
    status,
    gateStatus: wordOf(status, invoice),
    amountMinor: amount,
    currency,
    overMinor: status === 'Success' ? overOf(invoice, amount, confirmed) : 0,
    paid: received === undefined ? undefined : { amount: received, currency },
    nextAction:
      status === 'awaiting redirect result'
        ? { kind: 'redirect', url: invoice.checkoutLink, method: 'GET', body: {} }
        : undefined,
    at,
    requestId: invoice.id,
    code: undefined,
    authCode: undefined,
    eci: undefined,
    panMasked: undefined,
    cardHolder: undefined,
    refunds: [],
    isGivenBack: false,
    method: 'crypto',
    customerId: undefined,
    isRefundOnly: false,
  }
}
