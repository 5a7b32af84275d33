import type { Connection } from '@hedgerow/contract/connections'
import { daysAfter, formatLocalTime } from '@hedgerow/domain/dates'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aConnection, anOrder, aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const idOf = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const NONE = { feature1: false, feature2: false, feature3: false, feature4: false }

/** Numbered, and ending in so many days. */
const own = (n: number, days: number, more: Partial<Connection> = {}) =>
  aConnection({
    _id: idOf(n),
    name: `Hedgerow ${n}`,
    expirationDate: daysAfter(new Date(), days).toISOString(),
    features: NONE,
    ...more,
  })

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  vi.stubGlobal('scrollTo', () => undefined)
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const openAs = async (connections: Connection[], path = '/products') => {
  await openShopAs(aProfile({ connections }), server, path)
  await screen.findByText('Extend connections you have')
}

const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const total = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
const says = (text: string) => expect(total()).toContain(text)
const option = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name })
const many = (count: number) => Array.from({ length: count }, (_, i) => own(i + 1, 10 + i))

test('a reminder’s link chooses its connections, shows their new end, and orders that', async () => {
  server.answers('createOrder', 201, anOrder())
  server.answers('getOrder', 200, anOrder())
  await openAs([own(1, 2), own(2, 2), own(3, 20)], `/products?renew=${idOf(1)},${idOf(2)}`)
  expect([1, 2, 3].map((n) => box(new RegExp(`^Hedgerow ${n}`)).checked)).toEqual([true, true, false])
  says('3 connections: extends Hedgerow 1 and 2, 1 new')
  const label = box(/^Hedgerow 1/).labels?.[0]?.textContent
  expect(label).toContain(`then ${formatLocalTime(daysAfter(new Date(Date.now()), 32))}`.slice(0, 15))
  fireEvent.click(button('Buy'))
  await waitFor(() => expect(address()).toBe(`/checkout/${anOrder().orderId}`))
  expect(server.callsOf('createOrder')[0]?.body).toMatchObject({
    connections: 3,
    total: 30,
    renew: [idOf(1), idOf(2)],
  })
})

test('raises the number of connections, and neither goes below nor above what is possible', async () => {
  await openAs(many(14))
  for (let n = 1; n <= 13; n++) fireEvent.click(box(new RegExp(`^Hedgerow ${n}\\b`)))
  const number = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Connections' })
  expect(number.value).toBe('13')
  says('€31.00')
  expect(box(/^Hedgerow 14/).disabled).toBe(true)
  fireEvent.click(box(/^Hedgerow 13/))
  expect(box(/^Hedgerow 14/).disabled).toBe(false)
  fireEvent.click(button('Fewer connections'))
  expect(number.value).toBe('12')
})

test('locks the options that a chosen connection has, with the reason, and lets them go with it', async () => {
  await openAs([own(1, 5, { features: { ...NONE, feature2: true } }), own(2, 6)])
  expect(option('Advertisement filter').disabled).toBe(false)
  fireEvent.click(box(/^Hedgerow 1/))
  const locked = option('Advertisement filter')
  expect([locked.checked, locked.disabled]).toEqual([true, true])
  const described = locked.getAttribute('aria-describedby')?.split(' ') ?? []
  const words = described.map((id) => document.getElementById(id)?.textContent)
  expect(words).toContain('Hedgerow 1 has it, so it stays')
  says('€30.03')
  fireEvent.click(box(/^Hedgerow 1/))
  expect([locked.checked, locked.disabled]).toEqual([false, false])
  says('€30.00')
})

test('offers what ended lately, and not what ended long ago, never ends or was revoked', async () => {
  await openAs([
    own(1, -2),
    own(2, -40),
    own(3, 5),
    own(4, 0, { expirationDate: null, isRenewable: false }),
    own(5, 5, { isRenewable: false }),
  ])
  const names = screen
    .getAllByRole('checkbox')
    .map((one) => (one as HTMLInputElement).labels?.[0]?.textContent)
  expect(names.map((name) => name?.match(/^Hedgerow \d (Ends|Ended|)|^Hedgerow \d/)?.[0])).toHaveLength(2)
  expect(names[0]).toMatch(/^Hedgerow 3Ends \d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  expect(names[1]).toMatch(/^Hedgerow 1Ended \d\d\/\d\d\/\d{4} \d\d:\d\d$/)
})

test('says so when a link names what can no longer be extended', async () => {
  await openAs([own(1, 5)], `/products?renew=${idOf(1)},${idOf(77)}`)
  screen.getByText('One connection in your link can no longer be extended.')
  expect(box(/^Hedgerow 1/).checked).toBe(true)
})

test('a customer without connections sees nothing of it', async () => {
  await openShopAs(aProfile({ connections: [] }), server, '/products')
  await screen.findByRole('button', { name: 'Buy' })
  await act(() => new Promise((later) => setTimeout(later, 50)))
  expect(screen.queryByText('Extend connections you have')).toBeNull()
})

test('a visitor logs in, and comes back to the same connections', async () => {
  await openShop(`/products?renew=${idOf(1)},${idOf(2)}`)
  await screen.findByText('Log in to extend your connections.')
  expect(screen.queryByText('Extend connections you have')).toBeNull()
  const login = screen.getByRole('link', { name: 'Log in to buy' }).getAttribute('href') ?? ''
  const wanted = new URL(login, 'http://here.invalid').searchParams.get('redirectUrl') ?? ''
  closeShop()
  await openAs([own(1, 2), own(2, 2)], wanted)
  expect([1, 2].map((n) => box(new RegExp(`^Hedgerow ${n}`)).checked)).toEqual([true, true])
})

test('the checkout says what is extended', async () => {
  server.answers('getOrder', 200, anOrder({ renew: [{ _id: idOf(1), name: 'Hedgerow 1' }] }))
  await openShopAs(aProfile(), server, `/checkout/${anOrder().orderId}`)
  const summary = await screen.findByText('extends Hedgerow 1, 4 new')
  within(summary.closest('dl') as HTMLElement).getByText('Connections')
})
