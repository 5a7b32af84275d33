import { daysAfter } from '@hedgerow/domain/dates'
import { expect, test } from 'vitest'
import type { Evidence } from '#testing/torture/evidence.ts'
import { findViolations, RULE_NAMES } from '#testing/torture/violations.ts'

/** An order that was paid and extended by another, its invoice corrected, one that was paid twice and given back once, one that was refunded whole, one declined. */
const sound = (): Evidence => {
  const order = (id: string, status: string) => ({
    id,
    status,
    total_minor: 100,
    currency: 'EUR',
    connections: 1,
    days: 10,
    renews: id === 'o5' ? ['k1'] : [],
    plan_id: id === 'o5' ? 'a plan' : null,
    location_id: 'node',
    location_is_chosen: id === 'o1',
    delivered_location_id: ['o1', 'o2', 'o3'].includes(id) ? 'node' : null,
  })
  const payment = (
    id: string,
    order_id: string,
    status: string,
    refunded_minor = 0,
    is_delivered = status === 'Success',
  ) => ({
    id,
    order_id,
    customer_id: 'c',
    gateway: 'gate',
    method: 'card',
    status,
    charged_minor: 100,
    charged_currency: 'EUR',
    refunded_minor,
    refund_due: status === 'Success' && !is_delivered,
    is_invoiced: is_delivered,
    cancelled_at: null,
    is_delivered,
    is_abandoned: false,
    has_ended: true,
  })
  const start = new Date('2026-11-21T14:05:00Z')
  const connection = (n: number, payment_id: string, days: number, has_ended = false) => ({
    id: `k${n}`,
    payment_id,
    ordinal: 1,
    node_id: 'node',
    address: `node ${n}`,
    public_key: `key ${n}`,
    is_free_too: false,
    has_ended,
    created_at: start,
    expires_at: daysAfter(start, days),
  })
  const refund = (id: string, payment_id: string) => ({
    id,
    payment_id,
    amount_minor: 100,
    status: 'Success',
    is_by_hand: false,
    is_closed: false,
    gate_operation_id: id,
  })
  const entry = (id: string, settled: number, refundId?: string) => ({
    id,
    gateway: 'gate' as const,
    method: 'card',
    status: settled > 0 ? 'success' : 'decline',
    amount: 100,
    settled,
    refunded: refundId ? 100 : 0,
    currency: 'EUR',
    waitsFor: null,
    callbacks: { tried: 1, delivered: 1 },
    operations: refundId
      ? [
          {
            id: 1,
            type: 'refund',
            status: 'success',
            amount: 100,
            requestId: 'r',
            merchantRefundId: refundId,
          },
        ]
      : [],
  })
  const document = (number: number, last: number) => ({
    ...{ name: `N-${number}`, year: 2026, number, last, total_minor: 100, net_minor: 83, vat_minor: 17 },
    ...{ vat_rate: 20, treatment: 'uk', country: null },
  })
  const invoice = (number: number, order_id: string, corrects: string | null = null) => ({
    ...document(number, 5),
    ...{ order_id, corrects, by_note: corrects && 'N-2', is_live: number !== 1 },
  })
  const earning = (payment_id: string, due_back_minor: number) => ({
    ...{ payment_id, amount_minor: 10, due_back_minor, is_own_card: false },
  })
  const receipt = (number: number) => ({
    to: 'a@b',
    subject: `Your receipt from us, N-${number}`,
    messageId: `m${number}`,
  })
  const corrected = (number: number) => ({
    ...receipt(number),
    subject: `Your corrected invoice from us, N-${number}`,
  })
  return {
    orders: [
      order('o1', 'Completed'),
      order('o2', 'Completed'),
      order('o3', 'Completed'),
      order('o4', 'Rejected'),
      order('o5', 'Completed'),
    ],
    payments: [
      payment('p1', 'o1', 'Success'),
      payment('p2', 'o2', 'Success'),
      payment('p2b', 'o2', 'Success', 100, false),
      payment('p3', 'o3', 'Success', 100),
      payment('p4', 'o4', 'Decline'),
      payment('p5', 'o5', 'Success'),
    ],
    connections: [connection(1, 'p1', 20), connection(2, 'p2', 10), connection(3, 'p3', 0, true)],
    renewals: [{ payment_id: 'p5', connection_id: 'k1', created_at: daysAfter(start, 1) }],
    customers: [{ id: 'c', made: 3, have: 3 }],
    refunds: [refund('f2', 'p2b'), refund('f3', 'p3')],
    invoices: [
      invoice(1, 'o1'),
      invoice(2, 'o2'),
      invoice(3, 'o3'),
      invoice(4, 'o5'),
      invoice(5, 'o1', 'N-1'),
    ],
    creditNotes: [
      { ...document(1, 2), refund_id: 'f3', payment_id: 'p3', invoice: 'N-3' },
      { ...document(2, 2), refund_id: null, payment_id: 'p1', invoice: 'N-1' },
    ],
    earnings: [earning('p1', 0), earning('p3', 10)],
    jobs: [],
    partnerFaults: [],
    uncredited: [],
    waiting: new Set(),
    books: [
      entry('p1', 100),
      entry('p2', 100),
      entry('p2b', 100, 'f2'),
      entry('p3', 100, 'f3'),
      entry('p4', 0),
      entry('p5', 100),
    ],
    mails: [receipt(1), receipt(2), receipt(3), receipt(3), receipt(4), corrected(5)],
    shownStatuses: new Map([['p1', new Set(['Success'])]]),
    said: new Map([['p5', new Set([{ renew: ['k1'], location: 'elsewhere' }])]]),
  }
}

test('sound books break no rule', () => {
  expect(findViolations(sound())).toEqual([])
})

test('finds an extension that was lost, or counted twice', () => {
  for (const days of [10, 30]) {
    const evidence = sound()
    const [connection] = evidence.connections
    Object.assign(connection as object, { expires_at: daysAfter(connection?.created_at as Date, days) })
    expect(findViolations(evidence)).toEqual([{ rule: expect.stringContaining('not used up'), ids: 'k1' }])
  }
})

test('finds an order that extended less than it bought', () => {
  const evidence = sound()
  evidence.renewals = []
  const rules = findViolations(evidence).map(({ rule }) => rule)
  expect(rules).toContain('settled, and neither delivered whole nor refunded whole')
})

const at = <T>(items: readonly T[], i: number): T => items.at(i) as T
const set = <T extends object>(items: readonly T[], i: number, change: Partial<T>) =>
  Object.assign(at(items, i), change)

test.each<[string, (evidence: Evidence) => unknown]>([
  ['a reissue of another sum', ({ invoices }) => set(invoices, 4, { total_minor: 99, net_minor: 82 })],
  ['another VAT', ({ invoices }) => set(invoices, 4, { vat_minor: 16, net_minor: 84 })],
  ['an invoice of another order', ({ invoices }) => set(invoices, 4, { order_id: 'o2' })],
  ['one that still counts', ({ invoices }) => set(invoices, 0, { is_live: true })],
  [
    'a credit note that no reissue names',
    ({ creditNotes }) => creditNotes.push({ ...at(creditNotes, 1), name: 'N-3', invoice: 'N-2' }),
  ],
])('finds a correction with %s', (_, change) => {
  const evidence = sound()
  change(evidence)
  expect(findViolations(evidence).map(({ rule }) => rule)).toContainEqual(
    expect.stringContaining('a correction did not'),
  )
})

/** For every rule what breaks it; a rule that nothing breaks proves nothing. */
const BREAKS: Record<string, (evidence: Evidence) => unknown> = {
  'the gateway knows a payment that the shop does not': ({ books }) =>
    books.push({ ...at(books, 4), id: 'p9' }),
  'a payment is in the books of another gateway, or twice': ({ books }) => books.push(at(books, 0)),
  'the gateway was asked for another sum': ({ books }) => set(books, 4, { amount: 1 }),
  'settled, and neither delivered whole nor refunded whole': ({ connections }) => connections.shift(),
  'an order was paid for twice': ({ books }) => set(books, 2, { refunded: 99 }),
  'delivered for another sum than was asked for': ({ books }) => set(books, 0, { settled: 99 }),
  'a debt that no one is reminded of': ({ refunds }) => set(refunds, 0, { status: 'Decline' }),
  'more went back than was paid': ({ books }) => set(books, 2, { refunded: 200 }),
  'not settled, but taken for paid or delivered': ({ books }) => set(books, 0, { settled: 0 }),
  'an order delivered by more than one payment': ({ payments }) => set(payments, 2, { is_delivered: true }),
  'an order and its payments disagree': ({ orders }) => set(orders, 3, { status: 'Completed' }),
  'connections share an address': ({ connections }) => set(connections, 1, { address: 'node 1' }),
  'connections share a key': ({ connections }) => set(connections, 1, { public_key: 'key 1' }),
  'an address in use is on the free list': ({ connections }) => set(connections, 0, { is_free_too: true }),
  'a customer was counted connections that they do not have': ({ customers }) =>
    set(customers, 0, { made: 4 }),
  'a connection ends when what stands paid for it is not used up, or lives on after that': ({
    connections,
  }) => set(connections, 2, { has_ended: false }),
  'a connection was extended by an order that does not name it': ({ orders }) =>
    set(orders, 4, { renews: [] }),
  'a payment extended a connection twice': ({ renewals }) => renewals.push(at(renewals, 0)),
  'new connections are not where their order says they were made': ({ connections }) =>
    set(connections, 0, { node_id: 'elsewhere' }),
  'a plan was delivered otherwise than its press said': (evidence) =>
    Object.assign(evidence, { said: new Map([['p5', new Set([{ renew: ['k2'], location: undefined }])]]) }),
  'an invoice number is missing or given twice': ({ invoices }) => set(invoices, 1, { number: 1 }),
  'a credit note number is missing or given twice': ({ creditNotes }) => set(creditNotes, 0, { number: 3 }),
  'the VAT of an invoice is not the United Kingdom’s': ({ invoices }) => set(invoices, 1, { country: 'FR' }),
  'the credit notes of a payment are not what went back of its invoice': ({ creditNotes }) =>
    set(creditNotes, 0, { total_minor: 99 }),
  'a refund and its credit note are not one to one': ({ creditNotes }) => creditNotes.shift(),
  'an earning was not taken back with what went back of its payment': ({ earnings }) =>
    set(earnings, 1, { due_back_minor: 0 }),
  'a delivered order without its one invoice, or an invoice without one': ({ invoices }) =>
    set(invoices, 0, { order_id: 'o4' }),
  'a correction did not take back what was left of an invoice, or put another sum in its place': ({
    creditNotes,
  }) => creditNotes.pop(),
  'a receipt or corrected invoice was not mailed, or as two different mails': ({ mails }) =>
    set(mails, 3, { messageId: 'other' }),
  'a refund that the gateway did not make, or another sum': ({ refunds }) =>
    set(refunds, 0, { amount_minor: 99 }),
  'the gateway gave back what the shop does not know of': ({ books }) => set(books, 0, { refunded: 10 }),
  'the partners’ books do not add up': ({ partnerFaults }) => partnerFaults.push('a balance of p1'),
  'a partner was not credited with a payment': ({ uncredited }) => uncredited.push('p1'),
  'left under way: a payment': ({ payments }) => set(payments, 4, { has_ended: false }),
  'left under way: a refund': ({ refunds }) => set(refunds, 0, { status: 'Pending' }),
  'left under way: a job': ({ jobs }) =>
    jobs.push({ id: '1', task: 'send-refund', attempts: 15, last_error: 'no' }),
  'left under way at the gateway': ({ books }) => set(books, 4, { waitsFor: 'bank' }),
  'a customer was shown a payment that is gone': (evidence) =>
    Object.assign(evidence, { shownStatuses: new Map([['p8', new Set()]]) }),
  'a customer was shown Success, and it is not': (evidence) =>
    Object.assign(evidence, { shownStatuses: new Map([['p4', new Set(['Success'])]]) }),
}

test.each(RULE_NAMES)('finds it: %s', (rule) => {
  const evidence = sound()
  BREAKS[rule]?.(evidence)
  expect(findViolations(evidence).map((violation) => violation.rule)).toContain(rule)
})
