import { formatMoney } from '@hedgerow/domain/money'
import { SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noteKnownBrowser } from '#lib/known-browser.ts'
import { anItem, LAYER } from '#testing/fixtures.ts'
import { address, closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const section = () => {
  const found = screen.getByRole('heading', { name: 'Price plans' }).closest('section')
  if (!found) throw new Error('There is no section of plans')
  return within(found)
}
const plans = () => section().getAllByRole('link')
const show = (period: string) => fireEvent.click(section().getByRole('radio', { name: period }))
const shippedFor = (period: string) => SHIPPED_PLANS.filter((plan) => plan.period === period)
const PERIODS = [...new Set(SHIPPED_PLANS.map(({ period }) => period))]

describe('the price plans', () => {
  test('stand by their layers as the shop ships them, whatever the server says', async () => {
    await openShop('/')
    section().getByRole('radio', { name: '31 days', checked: true })
    for (const { name } of SHIPPED_LAYERS) section().getByRole('heading', { name })
    for (const period of PERIODS) {
      show(period)
      expect(plans().map((link) => link.getAttribute('href'))).toEqual(
        shippedFor(period).map(({ id }) => `/signup?redirectUrl=%2Fpayment%2Fcheckout%2F${id}`),
      )
      for (const [position, { name, connections, priceMinor }] of shippedFor(period).entries())
        for (const part of [name, period, `${connections} connections`, formatMoney(priceMinor, 'GBP')])
          expect(plans()[position]?.textContent).toContain(part)
    }
  })

  test('lead a browser that knows an account to the checkout, which asks to log in', async () => {
    noteKnownBrowser()
    await openShop('/')
    expect(plans().map((link) => link.getAttribute('href'))).toEqual(
      shippedFor('31 days').map(({ id }) => `/payment/checkout/${id}`),
    )
  })

  test('say what a day comes to, and that Ethernity never expires', async () => {
    await openShop('/')
    show('1 week')
    expect(plans()[0]?.textContent).toContain('£0.93 a day')
    show('Ethernity')
    expect(plans()).toHaveLength(1)
    expect(plans()[0]?.textContent).toContain('never expires')
  })

  test('become what is on sale', async () => {
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem({ price: 1999 })])
    await openShop('/')
    await waitFor(() => expect(plans()).toHaveLength(1))
    expect(plans()[0]?.textContent).toContain('£19.99')
  })

  test('say where the calculator gives the same for less', async () => {
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem({ period: '1 week', numOfConnections: 4, price: 711 })])
    await openShop('/')
    await waitFor(() => expect(plans()).toHaveLength(1))
    expect(plans()[0]?.textContent).toContain('£7.10 with the calculator')
    cleanup()
    server.answers('listItems', 200, [anItem({ period: '1 week', numOfConnections: 4, price: 710 })])
    await openShop('/')
    await waitFor(() => expect(plans()).toHaveLength(1))
    expect(plans()[0]?.textContent).not.toContain('calculator')
  })

  test('are in pounds whatever the selector says', async () => {
    await openShop('/')
    const before = plans().map((link) => link.textContent)
    for (const value of ['GBP', 'EUR']) {
      fireEvent.change(screen.getAllByRole('combobox')[0] as HTMLElement, { target: { value } })
      expect(plans().map((link) => link.textContent)).toEqual(before)
    }
  })

  test('lead a newcomer to sign up for the plan', async () => {
    await openShop('/')
    const [first] = plans()
    fireEvent.click(first as HTMLElement)
    await waitFor(() => expect(address()).toBe(first?.getAttribute('href')))
    await screen.findByRole('tab', { name: 'Sign Up', selected: true })
    expect(screen.getByRole('region', { name: 'Your order' }).textContent).toContain('£24.00')
  })

  test('lead who has an account to the login, and from there back to the plan', async () => {
    noteKnownBrowser()
    await openShop('/')
    const [first] = plans()
    const path = first?.getAttribute('href') ?? ''
    fireEvent.click(first as HTMLElement)
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`))
  })
})

describe('the first view', () => {
  const open = async (...names: string[]) => {
    server.answers(
      'listOpenLocations',
      200,
      names.map((name) => ({ _id: `id of ${name}`, name, hasRoom: true })),
    )
    await openShop('/')
  }

  test.each([
    [['London'], 'Servers in London'],
    [['London', 'Oslo'], 'Servers in London and Oslo'],
    [['London', 'Oslo', 'Paris'], 'Servers in London and 2 more places'],
    [[], 'WireGuard servers'],
  ])('says where the servers are: %j', async (names, fact) => {
    await open(...names)
    await screen.findByText(fact)
  })

  test('names no place while the shop is only being tried', async () => {
    server.answers('listOpenLocations', 200, [
      { _id: 'its id', name: 'demonstration', hasRoom: true, isDemonstration: true },
    ])
    await openShop('/')
    screen.getByText('WireGuard servers')
  })

  test('says what it is for and what a day costs, in the currency that is chosen, before WireGuard is named', async () => {
    await open('London')
    const says = () => screen.getByRole('heading', { level: 1 }).textContent
    expect(says()).toBe('Use hotel and airport Wi-Fi in private. From €1.00 a day.')
    fireEvent.click(screen.getByRole('radio', { name: '£ GBP' }))
    expect(says()).toContain('From £1.00 a day.')
  })
})

describe('the places', () => {
  const see = () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        seen: (entries: { isIntersecting: boolean }[]) => void
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
          this.seen = seen
        }
        observe() {
          this.seen([{ isIntersecting: true }])
        }
        disconnect() {}
      },
    )
  }
  const place = (name: string, state: 'up' | 'down' | 'demonstration', days: number[] = []) => ({
    ...{ name, state, days },
    uptime: days[0] ?? null,
  })

  test('are told with how each is and was, once somebody comes near', async () => {
    see()
    server.answers('getStatus', 200, {
      firstDay: '2026-08-25',
      places: [place('London', 'up', [100, 99]), place('Oslo', 'down', [98])],
      incidents: [],
    })
    await openShop('/')
    await screen.findByText('100% over 2 days')
    expect(screen.getByText('Oslo').closest('li')?.textContent).toContain('Down')
    expect(screen.getByRole('link', { name: 'Status and history' }).getAttribute('href')).toBe('/status')
  })

  test('of a shop that is only being tried are said to stand in for servers', async () => {
    see()
    server.answers('getStatus', 200, {
      firstDay: '2026-08-25',
      places: [place('demonstration', 'demonstration')],
      incidents: [],
    })
    await openShop('/')
    await screen.findByText('These stand in for servers while you try the shop. Nothing runs there.')
  })
})

describe('the questions', () => {
  test('are answered in a sentence each, which leads to all of them', async () => {
    await openShop('/')
    const before = screen.getByRole('heading', { name: 'Before you buy' }).closest('section')
    if (!before) throw new Error('There is no section of questions')
    expect(
      within(before)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(['What we keep', 'Money back', 'Who runs it', 'Filters'])
    fireEvent.click(screen.getByRole('link', { name: 'All questions' }))
    await waitFor(() => expect(address()).toBe('/faq'))
    expect(screen.getAllByRole('group').length).toBeGreaterThan(12)
  })

  test('name the company that runs the shop, and lead to whoever answers others', async () => {
    await openShop('/faq')
    screen.getByText(/registered in England and Wales, company number 00000000/)
    for (const [name, path] of [
      ['Ask us', '/contact'],
      ['The status page', '/status'],
      ['The manual', '/manual'],
      ['The cancellation page', '/cancel'],
    ] as const)
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path)
  })
})
