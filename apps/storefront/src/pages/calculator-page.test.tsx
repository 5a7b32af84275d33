import type { OpenLocation } from '@hedgerow/contract/locations'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { FEATURES } from '@hedgerow/domain/pricing'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Route } from 'wouter'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { forgetToken, storeToken } from '#lib/access-token.ts'
import CalculatorPage from '#pages/calculator-page.tsx'
import { CurrencyProvider } from '#shared/currency.tsx'
import { locationsQuery } from '#shared/locations-query.ts'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { SessionProvider } from '#shared/session.tsx'

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

const typed = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name })
const slider = (name: string) => screen.getByRole<HTMLInputElement>('slider', { name })
/** Types and leaves the field, which does not wait. */
const enter = (name: string, value: string) => {
  fireEvent.input(typed(name), { target: { value } })
  fireEvent.blur(typed(name))
}
const slide = (name: string, value: string) => fireEvent.input(slider(name), { target: { value } })

test('starts at 30 days, 3 connections and euro, without options', () => {
  open()
  expect(total()).toBe('€30.00')
  expect([typed('Days').value, typed('Connections').value]).toEqual(['30', '3'])
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /EUR/ }).checked).toBe(true)
  for (const option of screen.getAllByRole<HTMLInputElement>('switch')) expect(option.checked).toBe(false)
})

test.each([
  ['Days', ['3', '500'], ['400', '365', '€365.00'], ['0', '1', '€1.00']],
  ['Connections', ['3', '13'], ['99', '13', '€31.00'], ['1', '3', '€30.00']],
] as const)(
  'keeps %s between their ends, whatever sets them',
  (name, ends, [over, most, dearest], [under, least, cheapest]) => {
    open()
    const expectSet = (value: string, price: string) =>
      expect([typed(name).value, total()]).toEqual([value, price])
    expect([slider(name).min, slider(name).max]).toEqual(ends)
    enter(name, over)
    expectSet(most, dearest)
    press(`More ${name.toLowerCase()}`)
    expectSet(most, dearest)
    enter(name, under)
    expectSet(least, cheapest)
    press(`Fewer ${name.toLowerCase()}`)
    expectSet(least, cheapest)
    slide(name, ends[1])
    expectSet(most, dearest)
  },
)

test.each([
  ['Priority bandwidth', '€30.05'],
  ['Advertisement filter', '€30.03'],
  ['Malicious content filter', '€30.02'],
  ['Family content filter', '€30.01'],
])('%s has its price', (name, price) => {
  open()
  fireEvent.click(screen.getByRole('switch', { name }))
  expect(total()).toBe(price)
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

const offer = () => screen.queryByRole('link', { name: /^Take the plan/ })
const days = (value: string) => {
  fireEvent.input(screen.getByRole('spinbutton', { name: 'Days' }), { target: { value } })
  fireEvent.blur(screen.getByRole('spinbutton', { name: 'Days' }))
}

describe('where a plan gives the same for less', () => {
  const planOf = (period: string) => SHIPPED_PLANS.find((plan) => plan.period === period)?.id
  const signUpFor = (id: string | undefined) => `/signup?redirectUrl=%2Fpayment%2Fcheckout%2F${id}`

  test('the receipt says so, and one press leads to it', () => {
    open()
    expect(screen.getByText(/cost less as a plan/).closest('p')?.textContent).toBe(
      '31 days for 3 devices cost less as a plan: £24.00, charged in pounds.',
    )
    expect(offer()?.getAttribute('href')).toBe(signUpFor(planOf('31 days')))
    days('365')
    expect(offer()?.getAttribute('href')).toBe(signUpFor(planOf('1 year')))
  })

  test('that it is charged in pounds is said where another currency is chosen', () => {
    open()
    fireEvent.click(screen.getByRole('radio', { name: '£ GBP' }))
    expect(screen.getByText(/cost less as a plan/).closest('p')?.textContent).toMatch(/£24\.00\.$/)
  })

  test('none is offered that has fewer days or connections, or costs as much', () => {
    open()
    for (const some of ['6', '24', '179']) {
      days(some)
      expect(offer()).toBeNull()
    }
    days('365')
    fireEvent.input(screen.getByRole('slider', { name: 'Connections' }), { target: { value: '13' } })
    expect(offer()).toBeNull()
  })

  test('with an option, which plans do not have, it is told and not offered', () => {
    open()
    fireEvent.click(screen.getByRole('switch', { name: 'Family content filter' }))
    expect(offer()).toBeNull()
    expect(screen.getByText(/Plans have no options/).closest('p')?.textContent).toBe(
      'Plans have no options; without them, 31 days cost £24.00 as a plan.',
    )
  })

  test('what extends a connection is not compared: a plan makes new ones', () => {
    open('/calculator?renew=00000000-0000-4000-8000-000000000001')
    expect(offer()).toBeNull()
    expect(screen.queryByText(/plan/)).toBeNull()
  })
})

test('the usual stays are a press away', () => {
  open()
  const days = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Days' }).value
  screen.getByRole('button', { name: 'a month', pressed: true })
  for (const [name, count] of [
    ['a weekend', '3'],
    ['a week', '7'],
    ['a fortnight', '14'],
  ] as const) {
    fireEvent.click(screen.getByRole('button', { name, pressed: false }))
    expect(days()).toBe(count)
    screen.getByRole('button', { name, pressed: true })
  }
})

test('the receipt says until when it works if it is paid today', () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z'), toFake: ['Date'] })
  open()
  screen.getByText('Works until 22/12/2026 if you pay today.')
  days('1')
  screen.getByText('Works until 23/11/2026 if you pay today.')
  vi.useRealTimers()
})

test('the slider says what its dotted part means', () => {
  open()
  const slider = screen.getByRole('slider', { name: 'Days' })
  const note = document.getElementById(slider.getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe('Up to 365 days')
  expect(screen.getByRole('slider', { name: 'Connections' }).hasAttribute('aria-describedby')).toBe(false)
})
