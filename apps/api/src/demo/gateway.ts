import { maskPan } from '@hedgerow/domain/cards'
import {
  type BookedOperation,
  type BookedPayment,
  type Booking,
  callbackOf,
  journalOf,
} from '#demo/gateway-books.ts'
import { readPaymentUpdate } from '#money/gateway/gate/read-update.ts'
import type { DirectGateway, Sale, SaleMethod } from '#money/gateway/gateway.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'

/** A gateway that takes every sale and answers as set. What it has heard it writes into the sandbox's books. */
export type DemoGateway = {
  client: DirectGateway
  /** The update by which a sale goes on or ends. */
  move: (paymentId: string, status: string, code: string, shown?: object) => PaymentUpdate
  /** The update that money is back. */
  giveBack: (paymentId: string, refundId: string, amountMinor: number) => PaymentUpdate
  find: (paymentId: string) => BookedPayment
  book: (booking: Omit<Booking, 'id'>) => number
  journal: () => string
}

/** As the sandbox names the brand of a card, by its first digit. */
const brandOf = (pan: string) => (pan.startsWith('4') ? 'visa' : 'mastercard')

export const DEMO_BANKS = {
  GBP: { country: 'uk', place: 'United Kingdom', id: 3541, name: 'Barclays' },
  EUR: { country: 'germany', place: 'Germany', id: 5103, name: 'N26' },
} as const

const bankOf = ({ country }: { country: string }) =>
  country === DEMO_BANKS.GBP.country ? DEMO_BANKS.GBP : DEMO_BANKS.EUR

const paidWith = (sale: SaleMethod): Pick<BookedPayment, 'method' | 'account' | 'bank'> => {
  if (sale.method === 'blik') return { method: 'blik' }
  if (sale.method === 'open_banking') {
    const { place, id, name } = bankOf(sale)
    return { method: `Open Banking ${place}`, bank: { id, name } }
  }
  const { pan, card_holder, month, year } = sale.card
  const account = {
    number: maskPan(pan),
    type: brandOf(pan),
    card_holder,
    expiry_month: String(month).padStart(2, '0'),
    expiry_year: String(year),
  }
  return { method: 'card', account }
}

const FINAL = new Set(['success', 'decline'])
/** What a sale's own operation is called, where the payment's word is another. */
const operationStatus = (status: string) => {
  if (status === 'success') return 'success'
  return ['decline', 'expired', 'cancelled'].includes(status) ? 'decline' : 'processing'
}

export const createDemoGateway = (projectId: number): DemoGateway => {
  const payments = new Map<string, BookedPayment>()
  const bookings: Booking[] = []
  let operations = 0
  const nextId = () => Date.now() * 1_000 + (operations++ % 1_000)

  const find = (id: string): BookedPayment => {
    const payment = payments.get(id)
    if (!payment) throw new Error(`the gateway has not heard of payment ${id}`)
    return payment
  }

  const update = (payment: BookedPayment, operation: BookedOperation, shown?: object): PaymentUpdate => {
    const read = readPaymentUpdate(callbackOf(payment, operation, projectId, shown))
    if (!read) throw new Error('a callback of the demonstration cannot be read')
    return read
  }

  const take = ({ paymentId, amountMinor, currency, description, saleMethod, customer }: Sale): string => {
    const [id, now] = [nextId(), Date.now()]
    const requestId = `demo-${id}`
    payments.set(paymentId, {
      id: paymentId,
      ...paidWith(saleMethod),
      status: 'processing',
      amount: amountMinor,
      remaining: amountMinor,
      currency,
      description,
      createdAt: now,
      updatedAt: now,
      customerId: String(customer.id),
      returnUrls: {},
      plan: { actions: [], code: '0' },
      challengesMade: 0,
      operations: [
        {
          id,
          type: 'sale',
          status: 'processing',
          code: '9999',
          amount: amountMinor,
          requestId,
          createdAt: now,
          updatedAt: now,
        },
      ],
      callbacks: { tried: 1, delivered: 1 },
    })
    return requestId
  }

  const cannot = async () => ({ kind: 'unknown', reason: 'not a part of the demonstration' }) as const
  return {
    client: {
      sale: async (sale) => ({ kind: 'accepted', requestId: take(sale) }),
      challengeResult: cannot,
      methodDone: cannot,
      clarify: cannot,
      authorise: cannot,
      refund: cannot,
      page: cannot,
      banks: async (country) => {
        const { id, name } = bankOf({ country })
        return [{ id, name }]
      },
      status: async () => ({ kind: 'unseen' }),
    },
    move: (paymentId, status, code, shown) => {
      const payment = find(paymentId)
      const [sale] = payment.operations as [BookedOperation]
      const now = Date.now()
      Object.assign(payment, { status, updatedAt: now })
      Object.assign(sale, { status: operationStatus(status), code, updatedAt: now })
      if (FINAL.has(sale.status)) payment.plan.code = code
      if (sale.status === 'success') sale.authCode = String(sale.id % 1_000_000).padStart(6, '0')
      return update(payment, sale, shown)
    },
    giveBack: (paymentId, refundId, amount) => {
      const payment = find(paymentId)
      const [id, now] = [nextId(), Date.now()]
      const merchantRefundId = refundId.replaceAll('-', '')
      const operation: BookedOperation = {
        ...{ id, type: 'refund', status: 'success', code: '0', amount },
        ...{ requestId: `demo-${id}`, merchantRefundId, createdAt: now, updatedAt: now },
      }
      payment.remaining -= amount
      payment.status = payment.remaining === 0 ? 'refunded' : 'partially refunded'
      payment.updatedAt = now
      payment.operations.push(operation)
      return update(payment, operation)
    },
    find,
    book: (booking) => {
      const id = nextId()
      bookings.push({ id, ...booking })
      return id
    },
    journal: () => journalOf(payments.values(), bookings),
  }
}
