import { DAY_MS } from '@hedgerow/domain/dates'
import { isPaymentId } from '@hedgerow/domain/ids'
import * as z from 'zod/mini'
import type { BookingSource } from '#money/gateway/booking-source.ts'
import { type Btcpay, createBtcpayCall } from '#money/gateway/btcpay/btcpay-call.ts'
import { isUnproven, readConfirmed, readInvoice, updateOf } from '#money/gateway/btcpay/read-invoice.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { isOperationId, kept, type ReadOperation } from '#money/gateway/reported-operation.ts'

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
 * for has no id of a payment of ours. `confirmed`: of late money, or a part.
 */
export const readBtcpayInvoice = (row: unknown, store: string, confirmed = 0): ReadOperation => {
  const { data, error } = z.safeParse(Listed, row)
  if (!data)
    return error.issues.some(({ path }) => path[0] !== 'metadata')
      ? { kind: 'unreadable', id: undefined, why: 'not an invoice' }
      : { kind: 'left-out' }
  const { id, createdTime, metadata } = data
  const invoice = readInvoice(row)
  if (!invoice) return { kind: 'unreadable', id, why: 'not an invoice' }
  const completedAt = new Date(createdTime * 1000)
  const { paid, amountMinor, currency, gateStatus } = updateOf(
    invoice,
    metadata.orderId,
    completedAt,
    confirmed,
  )
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
  const ask = async (path: string): Promise<unknown> => {
    const answer = await call('GET', path)
    if (answer.kind === 'answered') return answer.body
    throw new DataFault(
      `BTCPay did not list its invoices (${answer.kind === 'refused' ? answer.code : answer.reason}).`,
    )
  }
  /** Its list does not say what of late money is confirmed. */
  const readRow = async (row: unknown): Promise<ReadOperation> => {
    const invoice = readInvoice(row)
    const isOpen = invoice && isPaymentId(invoice.metadata.orderId) && isUnproven(invoice)
    const methods = isOpen && (await ask(`invoices/${encodeURIComponent(invoice.id)}/payment-methods`))
    return readBtcpayInvoice(row, btcpay.store, methods ? readConfirmed(methods) : 0)
  }
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
      const list = await ask(`invoices?${query}`)
      if (!Array.isArray(list)) throw new DataFault('BTCPay answered without a list of invoices.')
      const rows: ReadOperation[] = []
      for (const row of list) rows.push(await readRow(row))
      return { rows, next: list.length > 0 ? String(Number(after) + list.length) : undefined }
    },
  }
}
