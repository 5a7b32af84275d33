import type { Connection } from '@hedgerow/contract/connections'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { daysAfter } from '@hedgerow/domain/dates'
import { focusManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConnection, anItem, anOrder, aProfile, LAYER } from '#testing/fixtures.ts'
import { button, closeShop, fill, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

/** So many at once: a page of the shop's has a hundred, and no page counts on that. */
const AT_ONCE = 3
const MANY = 7

const NONE = { feature1: false, feature2: false, feature3: false, feature4: false }
const idOf = (n: number) => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`
const inDays = (days: number) => daysAfter(new Date(), days).toISOString()
const many = <T,>(make: (n: number) => T, count = MANY) =>
  Array.from({ length: count }, (_, i) => make(i + 1))

const own = (n: number, more: Partial<Connection> = {}) =>
  aConnection({
    _id: idOf(n),
    name: `Hedgerow ${n}`,
    fileName: `hedgerow-${n}.conf`,
    expirationDate: inDays(30 + n),
    features: NONE,
    ...more,
  })

const paymentId = (n: number) => String(n).padStart(32, '0')
const orderId = (n: number) => idOf(n)

const anAttempt = (n: number, more: Partial<PaymentHistoryItem> = {}): PaymentHistoryItem => ({
  _id: paymentId(n),
  orderId: orderId(n),
  createdAt: '2026-11-21T14:05:00Z',
  description: `${n} days, 3 connections`,
  total: 30,
  currency: { code: 'EUR', symbol: '€' },
  method: 'card',
  status: 'Success',
  refunds: [],
  orderStatus: 'Completed',
  ...more,
})

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  vi.stubGlobal('scrollTo', () => undefined)
})
afterEach(() => {
  closeShop()
  focusManager.setFocused(undefined)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const profileOf = (connections: Connection[]) => {
  server.answersInPages('listConnections', connections, AT_ONCE)
  const isAll = connections.length <= AT_ONCE
  return aProfile({
    connections: connections.slice(0, AT_ONCE),
    ...(isAll ? {} : { nextConnections: String(AT_ONCE) }),
  })
}

const open = (path: string, connections = many(own)) => openShopAs(profileOf(connections), server, path)

const more = (what: string) => screen.findByRole('button', { name: `Show more ${what}` })
/** As a press does in a browser, which gives the button the focus. */
const press = async (what: string) => {
  const found = await more(what)
  act(() => found.focus())
  fireEvent.click(found)
}
const tickets = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const names = (count: number) => many((n) => `Hedgerow ${n}`, count)

describe('the connections of a customer with many', () => {
  test('are shown a page at a time, and who asks for more goes on at the first new one', async () => {
    await open('/profile')
    await press('connections')
    await screen.findByText('6 connections so far.')
    expect(tickets()).toEqual(names(6))
    expect(document.activeElement?.textContent).toBe('Hedgerow 4')
    const { activeElement } = document
    await press('connections')
    const note = await screen.findByText('All 7 connections are here.')
    expect(note.getAttribute('role')).toBe('status')
    expect(tickets()).toEqual(names(MANY))
    expect(document.activeElement?.textContent).toBe('Hedgerow 7')
    expect(document.activeElement).not.toBe(activeElement)
    expect(screen.queryByRole('button', { name: /Show more/ })).toBeNull()
  })

  test('offer nothing more where they are all there', async () => {
    await open('/profile', many(own, AT_ONCE))
    await screen.findByRole('heading', { name: 'Hedgerow 3' })
    expect(screen.queryByRole('button', { name: /Show more/ })).toBeNull()
    expect(screen.queryByText(/so far|are here/)).toBeNull()
  })

  test('leave the focus with whoever has gone elsewhere meanwhile', async () => {
    await open('/profile')
    await more('connections')
    const release = server.hangs('listConnections')
    fireEvent.click(button('Show more connections'))
    const elsewhere = screen.getByRole('tab', { name: 'Connections' })
    act(() => elsewhere.focus())
    server.answersInPages('listConnections', many(own), AT_ONCE)
    await act(release)
    await screen.findByText('6 connections so far.')
    expect(document.activeElement).toBe(elsewhere)
  })

  test('stay as many when they are loaded anew, and show what is new', async () => {
    await open('/profile')
    fireEvent.click(await more('connections'))
    await screen.findByText('6 connections so far.')
    server.answers('getProfile', 200, profileOf([own(99), ...many(own)]))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    act(() => focusManager.setFocused(false))
    act(() => focusManager.setFocused(true))
    await screen.findByRole('heading', { name: 'Hedgerow 99' })
    expect(tickets()).toEqual(['Hedgerow 99', ...names(5)])
  })

  test('show none twice that was extended between two pages', async () => {
    await open('/profile')
    await more('connections')
    server.answersInPages('listConnections', [own(2), own(3), own(4), own(1), own(5)], AT_ONCE)
    fireEvent.click(button('Show more connections'))
    await screen.findByText('All 4 connections are here.')
    expect(tickets()).toEqual([...names(3), 'Hedgerow 5'])
  })

  test('say so where the next page does not load, and try again', async () => {
    await open('/profile')
    await more('connections')
    server.refuses('listConnections', 422, 'This page of the list cannot be found.')
    fireEvent.click(button('Show more connections'))
    await screen.findByText('The next connections did not load')
    expect(tickets()).toEqual(names(3))
    server.answersInPages('listConnections', many(own), AT_ONCE)
    fireEvent.click(button('Show more connections'))
    await screen.findByText('6 connections so far.')
    expect(screen.queryByText('The next connections did not load')).toBeNull()
  })

  test('stay shown when the profile is saved', async () => {
    await open('/profile')
    fireEvent.click(await more('connections'))
    await screen.findByText('6 connections so far.')
    server.answers('saveProfile', 200, { ...profileOf(many(own)), firstName: 'Augusta', version: 2 })
    fireEvent.click(screen.getByRole('tab', { name: 'Profile' }))
    await screen.findByRole('heading', { name: 'Personal data' })
    fill('Name', 'Augusta')
    await waitFor(() => expect(server.callsOf('saveProfile')).toHaveLength(1))
    fireEvent.click(screen.getByRole('tab', { name: 'Connections' }))
    await screen.findByRole('heading', { name: 'Hedgerow 6' })
  })

  test('are all in the file of Download all', async () => {
    const saved: Blob[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => saved.push(blob) }))
    await open('/profile')
    fireEvent.click(await screen.findByRole('button', { name: 'Download all' }))
    await screen.findByText('Saved connections.zip')
    const files = unzipSync(new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer()))
    expect(Object.keys(files)).toHaveLength(MANY)
  })
})

describe('extending a connection that is far down the list', () => {
  test('is offered among all of them in the calculator, what ends next at the top', async () => {
    const upside = many((n) => own(n, { expirationDate: inDays(60 - n) }))
    await open('/products', upside)
    const summary = await screen.findByText('Extend connections you have')
    expect(server.callsOf('listConnections')).toHaveLength(0)
    const details = summary.closest('details')
    if (!details) throw new Error('Nothing folds')
    details.open = true
    fireEvent(details, new Event('toggle'))
    await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(MANY))
    expect(screen.getAllByRole('checkbox').map((one) => (one as HTMLInputElement).value)).toEqual(
      many((n) => idOf(MANY + 1 - n)),
    )
  })

  test('is chosen by the link of a reminder', async () => {
    await open(`/products?renew=${idOf(7)}`)
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Hedgerow 7/ })
    expect(box.checked).toBe(true)
    expect(screen.queryByText(/can no longer be extended/)).toBeNull()
  })

  test('orders nothing new in its place while it could not be loaded', async () => {
    const profile = profileOf(many(own))
    server.refuses('listConnections', 422)
    await openShopAs(profile, server, `/products?renew=${idOf(7)}`)
    await screen.findByText('Your connections did not all load')
    expect(screen.queryByText(/can no longer be extended/)).toBeNull()
    fireEvent.click(button('Buy'))
    server.answersInPages('listConnections', many(own), AT_ONCE)
    fireEvent.click(button('Try again'))
    await waitFor(() => expect(screen.queryByText('Your connections did not all load')).toBeNull())
    expect(server.callsOf('createOrder')).toEqual([])
  })

  test('is said and sent by the checkout of a plan', async () => {
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem()])
    await open(`/payment/checkout/${anItem()._id}?renew=${idOf(7)}`)
    await screen.findByText(/extends Hedgerow 7/i)
  })
})

describe('what was just bought', () => {
  test('is found however long the list is', async () => {
    const payments = many((n) => anAttempt(n))
    const bought = { cancellable: [{ paymentId: paymentId(6), until: inDays(14) }] }
    server.answersInPages('paymentHistory', payments, AT_ONCE)
    await openShopAs(
      profileOf([own(1, bought), ...many((n) => own(n + 1), 5), own(7, bought)]),
      server,
      '/payment/success',
      { paymentId: paymentId(6) },
    )
    await screen.findByRole('heading', { name: 'Your 2 connections' })
    within(screen.getByRole('region', { name: 'Receipt' })).getByText('6 days, 3 connections')
  })
})

const rowsOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)

describe('the payment history of a customer with many', () => {
  const openHistory = async (
    orders = many((n) => anOrder({ orderId: orderId(n), status: 'Completed', days: n })),
    payments = many((n) => anAttempt(n)),
  ) => {
    server.answersInPages('listOrders', orders, AT_ONCE)
    server.answersInPages('paymentHistory', payments, AT_ONCE)
    await open('/profile?tab=history', [own(1)])
    await screen.findByRole('heading', { name: 'Payments' })
  }

  test.each([
    ['Orders', 'orders'],
    ['Payments', 'payments'],
  ])('shows its %s a page at a time, and goes on at the first new row', async (table, what) => {
    await openHistory()
    expect(rowsOf(table)).toHaveLength(3)
    await press(what)
    await screen.findByText(`6 ${what} so far.`)
    expect(rowsOf(table)).toHaveLength(6)
    expect(document.activeElement).toBe(rowsOf(table)[3])
    await press(what)
    await screen.findByText(`All 7 ${what} are here.`)
    expect(rowsOf(table)).toHaveLength(MANY)
  })

  test('counts the unpaid orders once it knows all of them, and hides no focus among them', async () => {
    await openHistory(
      many((n) => anOrder({ orderId: orderId(n), status: n === 1 ? 'Completed' : 'New', days: n })),
      [],
    )
    screen.getByText('Unpaid orders', { selector: 'summary span' })
    await press('orders')
    const note = await screen.findByText('6 orders so far.')
    expect(document.activeElement).toBe(note)
    fireEvent.click(button('Show more orders'))
    await screen.findByText('6 unpaid orders', { selector: 'summary span' })
  })

  test('offers every older purchase to be looked up', async () => {
    await openHistory()
    fireEvent.click(screen.getByRole('button', { name: 'Look up an older purchase' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel or withdraw' }))
    await dialog.findByRole('button', { name: /^7 days, 3 connections/ })
    expect(dialog.getAllByRole('button', { name: /days, 3 connections/ })).toHaveLength(MANY)
  })

  test('finds the payments of a connection that are far down, to cancel one', async () => {
    server.answersInPages(
      'paymentHistory',
      many((n) => anAttempt(n)),
      AT_ONCE,
    )
    const cancellable = [6, 7].map((n) => ({ paymentId: paymentId(n), until: inDays(14) }))
    await open('/profile', [own(1, { cancellable })])
    fireEvent.click(await screen.findByText('Manage'))
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel or withdraw' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel or withdraw' }))
    await dialog.findByRole('button', { name: /^7 days, 3 connections/ })
    dialog.getByRole('button', { name: /^6 days, 3 connections/ })
  })
})

test('the checkout finds why an order was declined that many payments came after', async () => {
  const declined = { status: 'Decline', orderStatus: 'Rejected', reason: 'The card has expired.' } as const
  server.answers('getOrder', 200, anOrder({ status: 'Rejected' }))
  server.answersInPages(
    'paymentHistory',
    [...many((n) => anAttempt(n), 6), anAttempt(7, { ...declined, orderId: anOrder().orderId })],
    AT_ONCE,
  )
  await open(`/checkout/${anOrder().orderId}`)
  await screen.findByText(/The card has expired/)
})
