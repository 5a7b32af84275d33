import { DAY_MS } from '@hedgerow/domain/dates'
import { isPaymentId } from '@hedgerow/domain/ids'
import * as z from 'zod/mini'
import type { BookingSource } from '#accounting/settlement/booking-source.ts'
import { isOperationId, kept, type ReadOperation } from '#accounting/settlement/reported-operation.ts'
import { type Btcpay, createBtcpayCall } from '#money/gateway/btcpay/btcpay-call.ts'
import { readInvoice, updateOf } from '#money/gateway/btcpay/read-invoice.ts'
import { DataFault } from '#money/gateway/data-fault.ts'

const PAGE = 100

/** So long before a day the invoices are made that may be paid, or confirmed, on it: each day looks at them once more. */
const LATE_MS = 3 * DAY_MS

const Listed = z.object({
  id: z.string().check(z.refine(isOperationId)),
  createdTime: z.int().check(z.positive()),
  metadata: z.object({ orderId: z.string().check(z.refine(isPaymentId)) }),
})

/**
 * An invoice that brought money is a sale, of the sum that the shop counts, on the day that it was made. What others use the store
 * for has no id of a payment of ours.
 */
export const readBtcpayInvoice = (row: unknown, store: string): ReadOperation => {
  const { data, error } = z.safeParse(Listed, row)
  if (!data)
    return error.issues.some(({ path }) => path[0] !== 'metadata')
      ? { kind: 'unreadable', id: undefined, why: 'not an invoice' }
      : { kind: 'left-out' }
  const { id, createdTime, metadata } = data
  const invoice = readInvoice(row)
  if (!invoice) return { kind: 'unreadable', id, why: 'not an invoice' }
  const completedAt = new Date(createdTime * 1000)
  const { paid, amountMinor, currency, gateStatus } = updateOf(invoice, metadata.orderId, completedAt)
  // One that was settled may be marked invalid by hand: then it is no money any more, and is said to have changed.
  if (invoice.storeId !== store || (!paid && invoice.status !== 'Invalid')) return { kind: 'left-out' }
  const sum = { minor: paid?.amount ?? amountMinor ?? 0, currency: paid?.currency ?? currency ?? '' }
  return {
    kind: 'operation',
    operation: {
      id,
      kind: 'sale',
      type: kept(gateStatus) ?? 'invoice',
      status: paid ? 'success' : 'decline',
      paymentId: metadata.orderId,
      initial: sum,
      booked: sum,
      feeMinor: 0,
      method: 'crypto',
      panMasked: undefined,
      arn: undefined,
      rrn: undefined,
      completedAt,
      bankCountry: undefined,
      eci: undefined,
    },
  }
}

/** A server of one's own has no settlement: the money is in the wallet as it comes. Its invoices stand for what it booked. */
export const btcpayBookings = (btcpay: Btcpay): BookingSource => {
  const call = createBtcpayCall(btcpay, () => undefined)
  return {
    gateway: 'btcpay',
    page: async ({ from, to }, after = '0') => {
      const query = new URLSearchParams({
        startDate: String(Math.floor((from.getTime() - LATE_MS) / 1000)),
        endDate: String(Math.floor(to.getTime() / 1000)),
        // The newest come first. One that is archived meanwhile would move the others up.
        includeArchived: 'true',
        skip: after,
        take: String(PAGE),
      })
      const answer = await call('GET', `invoices?${query}`)
      if (answer.kind !== 'answered')
        throw new DataFault(
          `BTCPay did not list its invoices (${answer.kind === 'refused' ? answer.code : answer.reason}).`,
        )
      if (!Array.isArray(answer.body)) throw new DataFault('BTCPay answered without a list of invoices.')
      return {
        rows: answer.body.map((row) => readBtcpayInvoice(row, btcpay.store)),
        next: answer.body.length > 0 ? String(Number(after) + answer.body.length) : undefined,
      }
    },
  }
}
