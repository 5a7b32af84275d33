import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { ORDERS_CACHE_MS } from '@hedgerow/domain/timings'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PaymentHistory } from '#features/payment-history/payment-history.tsx'
import { anOrder } from '#testing/fixtures.ts'
import { stubServer } from '#testing/server.ts'

const anAttempt = (more: Partial<PaymentHistoryItem> = {}): PaymentHistoryItem => ({
  _id: 'a'.repeat(32),
  orderId: anOrder().orderId,
  createdAt: '2026-11-21T14:05:00Z',
  description: '45 days, 5 connections',
  total: 45.24,
  currency: { code: 'GBP', symbol: '£' },
  method: 'card',
  pan: '400000******0077',
  status: 'Success',
  refunds: [],
  orderStatus: 'Completed',
  ...more,
})

let server: ReturnType<typeof stubServer>
let client: QueryClient
const onInvoice = vi.fn<(orderId: string) => Promise<void>>()
const onCreditNote = vi.fn<(refundId: string) => Promise<void>>()
const onCancel = vi.fn<(paymentIds: readonly string[]) => void>()
beforeEach(() => {
  server = stubServer()
  client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
})
afterEach(() => {
  cleanup()
  onInvoice.mockReset()
  onCreditNote.mockReset()
  onCancel.mockReset()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <QueryClientProvider client={client}>
      <PaymentHistory onInvoice={onInvoice} onCreditNote={onCreditNote} onCancel={onCancel} />
    </QueryClientProvider>,
  )
const rowsOf = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
const answer = (orders = [anOrder({ status: 'Completed' })], attempts = [anAttempt()]) => {
  server.answers('listOrders', 200, orders)
  server.answers('paymentHistory', 200, attempts)
}

test('shows each order with its date, what for, total and status', async () => {
  answer([anOrder({ status: 'Completed', createdAt: '2026-11-21T14:05:00Z' })])
  open()
  const [row] = await rowsOf('Orders')
  for (const text of ['21/11/2026 23:05', '45 days, 5 connections', '£45.24', 'Completed'])
    expect(row?.textContent).toContain(text)
})

test.each([
  ['Success', {}, 'Paid'],
  ['Success', { refundDue: true }, 'Paid twice, we refund it'],
  ['Decline', {}, 'Declined, not charged'],
  ['Error', {}, 'Failed, not charged'],
  ['Pending', {}, 'Under way'],
  ['awaiting 3ds result', {}, 'Waiting for you at your bank'],
  ['awaiting merchant auth', {}, 'Waiting for you'],
  ['awaiting redirect result', { isLeft: true }, 'Replaced by another attempt'],
  ['processing', { isPromised: true }, 'Promised by your bank'],
  ['processing', { isPromised: true }, 'It may take up to 7 days to arrive.'],
  [
    'Error',
    { isCharged: true, reason: '£12.00 arrived instead of £45.24.' },
    'Wrong amount, on its way back',
  ],
  [
    'Error',
    { isCharged: true, reason: '£12.00 arrived instead of £45.24.' },
    '£12.00 arrived instead of £45.24.',
  ],
] as const)('a payment that is %s %j is shown as: %s', async (status, more, words) => {
  answer(undefined, [anAttempt({ status, ...more })])
  open()
  const [row] = await rowsOf('Payments')
  for (const text of [
    '21/11/2026 23:05',
    '45 days, 5 connections',
    '£45.24',
    'Card',
    '4000 00** **** 0077',
    words,
  ])
    expect(row?.textContent).toContain(text)
})

test.each([
  ['awaiting redirect result', 'Waiting for your bitcoin'],
  ['Decline', 'Not paid in time'],
] as const)('a payment in bitcoin that is %s names no bank: %s', async (status, words) => {
  answer(undefined, [anAttempt({ status, method: 'crypto' })])
  open()
  const [row] = await rowsOf('Payments')
  expect(row?.textContent).toContain(words)
})

const aRefund = (more: Partial<PaymentHistoryItem['refunds'][number]> = {}) => ({
  _id: 'f0000000-0000-4000-8000-000000000001',
  total: 45.24,
  currency: 'GBP',
  status: 'Success' as const,
  createdAt: '2026-11-22T10:00:00Z',
  ...more,
})

test.each([
  [{ refunds: [aRefund()] }, 'Refunded, 22/11/2026'],
  [{ refunds: [aRefund({ total: 10 })] }, 'Partly refunded £10.00, 22/11/2026'],
  [{ refunds: [aRefund({ status: 'Pending' })] }, 'Refund on its way, 22/11/2026'],
  [{ refunds: [aRefund({ total: 10, status: 'Pending' })] }, 'Refund on its way £10.00'],
  [
    { refunds: [aRefund({ status: 'Decline' })] },
    'Refund of £45.24 did not go through on 22/11/2026. We are looking into it.',
  ],
  [{ refunds: [aRefund({ reference: '7'.repeat(23) })] }, `Reference for your bank: ${'7'.repeat(23)}`],
  [{ refundDue: true, refunds: [aRefund()] }, 'Paid twice'],
  [
    {
      status: 'Error',
      isCharged: true,
      received: { total: 4800, currency: 'JPY' },
      refunds: [aRefund({ total: 4800, currency: 'JPY' })],
    },
    'Refunded, 22/11/2026',
  ],
  [
    { status: 'Error', isCharged: true, refunds: [aRefund({ total: 4800, currency: 'JPY' })] },
    'Partly refunded 4800 JPY, 22/11/2026',
  ],
  [
    {
      charged: { total: 227.56, currency: 'PLN' },
      refunds: [aRefund({ total: 227.56, currency: 'PLN', endedAt: '2026-11-23T10:00:00Z' })],
    },
    'Refunded, 23/11/2026',
  ],
] satisfies [Partial<PaymentHistoryItem>, string][])('%j is shown as: %s', async (more, words) => {
  answer(undefined, [anAttempt(more)])
  open()
  const [row] = await rowsOf('Payments')
  expect(row?.textContent).toContain(words)
})

test('a refund offers its credit note once it is issued, and asks once', async () => {
  answer(undefined, [
    anAttempt({
      refunds: [
        aRefund({ total: 10, creditNote: 'CN-2026-000001' }),
        aRefund({ _id: 'f0000000-0000-4000-8000-000000000002', total: 5, status: 'Pending' }),
      ],
    }),
  ])
  let finish = () => {}
  onCreditNote.mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  open()
  const button = await screen.findByRole('button', { name: 'Credit note CN-2026-000001' })
  expect(button.getAttribute('aria-describedby')).toBe(`payment-${'a'.repeat(32)}`)
  expect(screen.getAllByRole('button', { name: /Credit note/ })).toHaveLength(1)
  fireEvent.click(button)
  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(onCreditNote.mock.calls).toEqual([['f0000000-0000-4000-8000-000000000001']])
  await act(async () => finish())
  expect(button.getAttribute('aria-busy')).toBeNull()
})

test('what was charged in another currency stands beside the price, and a reason under its decline', async () => {
  answer(undefined, [
    anAttempt({ method: 'blik', charged: { total: 227.56, currency: 'PLN' } }),
    anAttempt({ _id: 'b', status: 'Decline', reason: 'The card has expired.' }),
  ])
  open()
  const [paid, declined] = await rowsOf('Payments')
  expect(paid?.textContent).toContain('£45.24')
  expect(paid?.textContent).toContain('227.56 PLN')
  expect(declined?.textContent).toContain('The card has expired.')
})

const SOON = new Date(Date.now() + 60_000).toISOString()

test('a payment within its 14 days can be cancelled, an older one only be asked about', async () => {
  answer(undefined, [
    anAttempt({ cancellableUntil: SOON }),
    anAttempt({ _id: 'b'.repeat(32) }),
    anAttempt({ _id: 'c'.repeat(32), status: 'Decline' }),
  ])
  open()
  const [fresh, older, declined] = (await rowsOf('Payments')).map((row) => within(row))
  const button = fresh?.getByRole('button', { name: 'Cancel or withdraw' })
  expect(button?.getAttribute('aria-describedby')).toBe(`payment-${'a'.repeat(32)}`)
  for (const row of [older, declined]) expect(row?.queryByRole('button')).toBeNull()
  fireEvent.click(button as HTMLElement)
  fireEvent.click(screen.getByRole('button', { name: 'Look up an older purchase' }))
  expect(onCancel.mock.calls).toEqual([[['a'.repeat(32)]], [['b'.repeat(32)]]])
})

test('one that was cancelled says when, and what went back', async () => {
  answer(undefined, [
    anAttempt({
      cancelledAt: '2026-11-22T10:00:00Z',
      refunds: [aRefund({ total: 23.4, status: 'Pending' })],
    }),
  ])
  open()
  const [row] = await rowsOf('Payments')
  expect(row?.textContent).toContain('Cancelled on 22/11/2026')
  expect(row?.textContent).toContain('Refund on its way £23.40, 22/11/2026')
  expect(screen.queryByRole('button', { name: /Cancel|Look up/ })).toBeNull()
  expect(screen.getByRole('link', { name: 'How cancelling works' }).getAttribute('href')).toBe(
    '/terms#cancelling',
  )
})

test('old orders that were not paid are folded away; what was bought and the newest stay in sight', async () => {
  answer([
    anOrder({ orderId: 'newest' }),
    anOrder({ orderId: 'before', status: 'Rejected' }),
    anOrder({ orderId: 'bought', status: 'Completed' }),
    anOrder({ orderId: 'first' }),
  ])
  open()
  expect((await rowsOf('Orders')).map((row) => row.textContent?.match(/New|Completed/)?.[0])).toEqual([
    'New',
    'Completed',
  ])
  const fold = screen.getByText('2 unpaid orders').closest('details')
  expect(fold?.open).toBe(false)
  // One whose price holds can be paid from there, too.
  const table = within(fold as HTMLElement).getByRole('table', { name: 'Unpaid orders' })
  expect(within(table).getAllByRole('link', { name: 'Pay' })).toHaveLength(2)
})

test('where nothing is left unpaid, nothing is folded away', async () => {
  answer()
  open()
  await rowsOf('Orders')
  expect(screen.queryByText(/unpaid order/)).toBeNull()
})

test('a new order can be paid, one that has expired cannot', async () => {
  const over = new Date(Date.now() - 1000).toISOString()
  answer([anOrder(), anOrder({ orderId: 'over', expiresAt: over })], [])
  open()
  const [fresh] = (await rowsOf('Orders')).map((row) => within(row))
  const [expired] = (await rowsOf('Unpaid orders')).map((row) => within(row))
  expect(fresh?.getByRole('link', { name: 'Pay' }).getAttribute('href')).toBe(
    `/checkout/${anOrder().orderId}`,
  )
  expect(expired?.queryByText('New')).not.toBeNull()
  expect(expired?.queryByRole('link')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Get Invoice' })).toBeNull()
})

test('Get Invoice is busy while it downloads, and asks once', async () => {
  answer()
  let finish = () => {}
  onInvoice.mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  open()
  const button = await screen.findByRole('button', { name: 'Get Invoice' })
  fireEvent.click(button)
  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(onInvoice.mock.calls).toEqual([[anOrder().orderId]])
  await act(async () => finish())
  expect(button.getAttribute('aria-busy')).toBeNull()
})

test('an invoice that does not come is logged, and nothing is shown', async () => {
  answer()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onInvoice.mockRejectedValue(new Error('gone'))
  open()
  const button = await screen.findByRole('button', { name: 'Get Invoice' })
  const before = document.body.textContent
  fireEvent.click(button)
  await waitFor(() => expect(log).toHaveBeenCalledOnce())
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(document.body.textContent).toBe(before)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what bought no listed order offers its invoice itself', async () => {
  answer([], [anAttempt({ orderId: 'plan-order', description: 'Wren' }), anAttempt({ _id: 'b' })])
  server.answers('listOrders', 200, [anOrder({ status: 'Completed' })])
  open()
  await rowsOf('Payments')
  const buttons = await waitFor(() => {
    const found = screen.getAllByRole('button', { name: 'Get Invoice' })
    expect(found).toHaveLength(2)
    return found
  })
  fireEvent.click(buttons[1] as HTMLElement)
  expect(onInvoice).toHaveBeenCalledWith('plan-order')
})

test('who bought nothing is led to the prices', async () => {
  answer([], [])
  open()
  await screen.findByText('Nothing bought yet')
  expect(screen.getByRole('link', { name: 'See the prices' }).getAttribute('href')).toBe('/products')
})

test('what did not load can be loaded again', async () => {
  answer()
  server.breaks('paymentHistory')
  open()
  await rowsOf('Orders')
  await screen.findByText('Your payments did not load')
  server.answers('paymentHistory', 200, [anAttempt()])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await rowsOf('Payments')).toHaveLength(1)
})

test('the orders are loaded once in ten minutes', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answer()
  open().unmount()
  open()
  await rowsOf('Orders')
  const calls = server.callsOf('listOrders').length
  cleanup()
  await vi.advanceTimersByTimeAsync(ORDERS_CACHE_MS - 5000)
  open().unmount()
  expect(server.callsOf('listOrders')).toHaveLength(calls)
  await vi.advanceTimersByTimeAsync(10_000)
  open()
  await waitFor(() => expect(server.callsOf('listOrders')).toHaveLength(calls + 1))
})

test('the orders are loaded again when a payment shows that one has changed', async () => {
  answer([anOrder()], [])
  open()
  await rowsOf('Orders')
  cleanup()
  answer()
  await act(() => client.invalidateQueries({ queryKey: ['payments'] }))
  open()
  await waitFor(() => expect(screen.getByText('Completed')).toBeTruthy())
  expect(server.callsOf('listOrders')).toHaveLength(2)
})

test('says of a disputed payment that the bank decides, and of a lost one that the bank has the money', async () => {
  const disputed = anAttempt({ disputed: { total: 45.24, currency: 'GBP' } })
  const lost = anAttempt({
    _id: 'b'.repeat(32),
    refunds: [
      {
        _id: 'c'.repeat(32),
        total: 45.24,
        currency: 'GBP',
        status: 'Success',
        isDispute: true,
        createdAt: '2026-11-22T10:00:00Z',
      },
    ],
  })
  answer([], [disputed, lost])
  open()
  const [first, second] = await rowsOf('Payments')
  expect(first?.textContent).toContain('Disputed')
  expect(first?.textContent).toContain('Your bank has asked us for £45.24 back, and decides about it.')
  expect(second?.textContent).toContain('Taken back by your bank, 22/11/2026')
})

test('offers the credit note of each correction, and the invoice that counts', async () => {
  const correction = (n: number) => ({
    _id: `c0000000-0000-4000-8000-00000000000${n}`,
    creditNote: `CN-2026-00000${n}`,
    invoice: `2026-00001${n}`,
    createdAt: '2026-11-23T10:00:00Z',
  })
  answer(undefined, [anAttempt({ corrections: [correction(1), correction(2)] })])
  open()
  const [row] = await rowsOf('Payments')
  expect(row?.textContent).toContain('Invoice corrected, 23/11/2026')
  fireEvent.click(screen.getByRole('button', { name: 'Credit note CN-2026-000001' }))
  expect(onCreditNote).toHaveBeenCalledWith(correction(1)._id)
  expect(screen.queryByRole('button', { name: 'Invoice 2026-000011' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Invoice 2026-000012' }))
  expect(onInvoice).toHaveBeenCalledWith(anOrder().orderId)
})

test('says of money that the bank took and that came back when it did, and offers the new invoice alone', async () => {
  const back = anAttempt({
    refunds: [
      {
        _id: 'c'.repeat(32),
        total: 45.24,
        currency: 'GBP',
        status: 'Success',
        isDispute: true,
        reversedAt: '2026-11-25T10:00:00Z',
        createdAt: '2026-11-22T10:00:00Z',
      },
    ],
    corrections: [
      {
        _id: 'c0000000-0000-4000-8000-000000000001',
        invoice: '2026-000011',
        isRestored: true,
        createdAt: '2026-11-25T10:00:00Z',
      },
    ],
  })
  answer(undefined, [back])
  open()
  const [row] = await rowsOf('Payments')
  expect(row?.textContent).toContain('Taken back by your bank, 22/11/2026, and returned to us, 25/11/2026')
  expect(row?.textContent).toContain('New invoice, 25/11/2026')
  expect(screen.queryByRole('button', { name: /^Credit note/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Invoice 2026-000011' }))
  expect(onInvoice).toHaveBeenCalledWith(anOrder().orderId)
})
