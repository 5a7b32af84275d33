import type { GatewayName } from '@hedgerow/domain/gateways'
import type { Json } from '@hedgerow/testing/call'
import { listInvoices, listSessions, listStripe } from '#testing/torture/vendors.ts'

const PAGE = 500

export type BookOperation = {
  id: number
  type: string
  status: string
  amount: number
  requestId: string
  merchantRefundId: string | null
}

/** A payment as the books of its gateway have it. */
export type BookEntry = {
  id: string
  gateway: GatewayName
  method: string
  status: string
  amount: number
  settled: number
  refunded: number
  currency: string
  waitsFor: string | null
  callbacks: { tried: number; delivered: number }
  operations: BookOperation[]
}

/** The whole of the Gate's books, page by page. */
const readGate = async (sandboxUrl: string): Promise<BookEntry[]> => {
  const all: BookEntry[] = []
  for (;;) {
    const last = all.at(-1)
    const before = last ? `&before=${last.id}` : ''
    const response = await fetch(`${sandboxUrl}/gate/payments?limit=${PAGE}${before}`)
    const page = (await response.json()) as Omit<BookEntry, 'gateway'>[]
    all.push(...page.map((entry) => ({ ...entry, gateway: 'gate' as const })))
    if (page.length < PAGE) return all
  }
}

const REFUND_ENDS: Readonly<Record<string, string>> = { succeeded: 'success', pending: 'processing' }

/** Stripe's sessions, with what went back of their payments. */
const readStripe = async (sandboxUrl: string): Promise<BookEntry[]> => {
  const refunds = Map.groupBy(await listStripe(sandboxUrl, 'refunds'), (one) => one.payment_intent)
  return (await listSessions(sandboxUrl)).map((session) => {
    const { payment_intent: intent } = session
    const operations = (refunds.get(intent?.id) ?? []).map(
      (refund, i): BookOperation => ({
        id: i,
        type: 'refund',
        status: REFUND_ENDS[refund.status] ?? 'decline',
        amount: refund.amount,
        requestId: refund.id,
        merchantRefundId: refund.metadata.refund_id ?? null,
      }),
    )
    const isPromised = session.status === 'complete' && intent?.status === 'processing'
    return {
      id: session.metadata.payment_id,
      gateway: 'stripe',
      method: 'card',
      status: `${session.status}, ${session.payment_status}`,
      amount: session.amount_total,
      settled: session.payment_status === 'paid' ? intent.amount_received : 0,
      refunded: operations.reduce((sum, one) => sum + (one.status === 'success' ? one.amount : 0), 0),
      currency: session.currency.toUpperCase(),
      waitsFor: session.status === 'open' ? 'customer' : isPromised ? 'bank' : null,
      callbacks: { tried: 0, delivered: 0 },
      operations,
    }
  })
}

const minorOf = (value: string): number => Math.round(Number(value) * 100)

/** Of an invoice: what of it has come, which is never more than was asked for here. Too much is given back there. */
const settledOf = ({ status, additionalStatus, amount, paidAmount }: Json): number => {
  if (status === 'Settled') return minorOf(amount)
  return status === 'Expired' && additionalStatus !== 'None'
    ? Math.min(minorOf(amount), minorOf(paidAmount))
    : 0
}

const WAITS_AT_BTCPAY: Readonly<Record<string, string>> = { New: 'customer', Processing: 'network' }

const readBtcpay = async (sandboxUrl: string): Promise<BookEntry[]> =>
  (await listInvoices(sandboxUrl)).map((invoice) => ({
    id: invoice.metadata.orderId,
    gateway: 'btcpay',
    method: 'crypto',
    status: `${invoice.status}, ${invoice.additionalStatus}`,
    amount: minorOf(invoice.amount),
    settled: settledOf(invoice),
    refunded: 0,
    currency: invoice.currency,
    waitsFor: WAITS_AT_BTCPAY[invoice.status] ?? null,
    callbacks: { tried: 0, delivered: 0 },
    operations: [],
  }))

/** The books of all gateways. */
export const readBooks = async (sandboxUrl: string): Promise<BookEntry[]> =>
  (await Promise.all([readGate, readStripe, readBtcpay].map((read) => read(sandboxUrl)))).flat()
