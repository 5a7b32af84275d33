import type { OpenLocation } from '@hedgerow/contract/locations'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { FEATURES } from '@hedgerow/domain/pricing'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Route } from 'wouter'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { forgetToken, storeToken } from '#lib/access-token.ts'
import { createQueryClient } from '#lib/query-client.ts'
import CalculatorPage from '#pages/calculator-page.tsx'
import { CurrencyProvider } from '#shared/currency.tsx'
import { locationsQuery } from '#shared/locations-query.ts'
import { PROFILE_KEY, SessionProvider } from '#shared/session.tsx'

const open = (path = '/', locations: OpenLocation[] = []) => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(PROFILE_KEY, { name: 'Ada' })
  queryClient.setQueryData(locationsQuery.queryKey, locations)
  window.history.replaceState(null, '', path)
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <CurrencyProvider>
          <Route path="/">
            <PriceCalculator />
          </Route>
          <Route path="/calculator">
            <CalculatorPage />
          </Route>
          <Route path="/checkout/:orderId">The checkout</Route>
        </CurrencyProvider>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

const total = () => screen.getByRole('status').textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

const answerWith = (status: number, body: object) => {
  const answer = vi.fn<typeof fetch>(async () => Response.json(body, { status }))
  vi.stubGlobal('fetch', answer)
  return answer
}

const ordersOf = (answer: ReturnType<typeof answerWith>) =>
  answer.mock.calls.filter(([, request]) => request?.method === 'POST')

// It is loaded when it is first shown, which may take longer than a test waits.
beforeAll(() => import('#shared/location-select.tsx'))
afterEach(() => {
  cleanup()
  forgetToken()
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('starts at 30 days, 3 connections and euro', () => {
  open()
  expect(total()).toBe('€30.00')
})

test('the lines of the receipt add up to the total', () => {
  open()
  press('More days')
  press('More connections')
  for (const { label } of FEATURES) fireEvent.click(screen.getByRole('switch', { name: label }))
  const amounts = screen.getAllByRole('definition').map((amount) => amount.textContent)
  const sum = amounts
    .filter((amount) => amount.startsWith('€'))
    .reduce((minor, amount) => minor + Number(amount.replace(/\D/g, '')), 0)
  expect(total()).toBe(`€${formatMinor(sum)}`)
  expect(total()).toBe('€31.21')
})

test('the currency changes the sign and not the number', () => {
  open()
  fireEvent.click(screen.getByRole('radio', { name: '£ GBP' }))
  expect(total()).toBe('£30.00')
  const group = screen.getByRole('group', { name: 'Options' })
  for (const { priceMinor } of FEATURES) within(group).getByText(formatMoney(priceMinor, 'GBP'))
})

test('a visitor logs in, and finds the same choice', () => {
  open()
  press('More connections')
  fireEvent.click(screen.getByRole('switch', { name: 'Advertisement filter' }))
  fireEvent.click(screen.getByRole('radio', { name: '£ GBP' }))
  const login = screen.getByRole('link', { name: 'Log in to buy' }).getAttribute('href') ?? ''
  const wanted = new URL(login, 'http://here.invalid').searchParams.get('redirectUrl') ?? ''
  const shown = total()
  cleanup()
  open(wanted)
  expect(total()).toBe(shown)
  expect(shown).toBe('£30.13')
})

test('a double click makes one order, and goes to its checkout', async () => {
  storeToken('a-token')
  const answer = answerWith(201, { orderId: 'order-1' })
  open()
  press('Buy')
  press('Buy')
  await screen.findByText('The checkout')
  const orders = ordersOf(answer)
  expect(orders).toHaveLength(1)
  expect(JSON.parse(String(orders[0]?.[1]?.body))).toEqual({
    days: 30,
    connections: 3,
    features: { feature1: false, feature2: false, feature3: false, feature4: false },
    currency: 'EUR',
    total: 30,
  })
})

test("a refusal shows the server's message, and the order can be made again", async () => {
  storeToken('a-token')
  const answer = answerWith(422, { title: 'Wrong total', status: 422, detail: 'The price has changed.' })
  open()
  press('Buy')
  const notice = await screen.findByRole('alert')
  expect(notice.textContent).toContain('The price has changed.')
  press('Buy')
  await waitFor(() => expect(ordersOf(answer)).toHaveLength(2))
})

test('orders at the location that the address names, and at the nearest otherwise', async () => {
  storeToken('a-token')
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'Europe/Dublin',
  } as Intl.ResolvedDateTimeFormatOptions)
  const london = { _id: '00000000-0000-4000-8000-0000000000aa', name: 'London', timeZone: 'Europe/London' }
  const oslo = { _id: '00000000-0000-4000-8000-0000000000bb', name: 'Oslo', timeZone: 'Europe/Oslo' }
  for (const [search, said] of [
    [`?location=${oslo._id}`, { location: oslo._id }],
    ['', { near: london._id }],
  ] as const) {
    const answer = answerWith(422, { title: 'Full', status: 422, detail: 'It is full.' })
    open(
      `/calculator${search}`,
      [london, oslo].map((place) => ({ ...place, hasRoom: true })),
    )
    await screen.findByRole('combobox', { name: 'Location' })
    press('Buy')
    await waitFor(() => expect(ordersOf(answer)).toHaveLength(1))
    expect(JSON.parse(String(ordersOf(answer)[0]?.[1]?.body))).toMatchObject(said)
    cleanup()
  }
  vi.restoreAllMocks()
})
