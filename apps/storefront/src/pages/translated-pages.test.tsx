import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aMethods, openOrder, openPlan, PAY_ORDER, PAY_PLAN } from '#testing/checkouts.tsx'
import { aConnection, anOrder, aProfile } from '#testing/fixtures.ts'
import { button, closeShop, enter, fill, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'
import { translatePage } from '#testing/translate.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => undefined)
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const main = () => screen.getByRole('main')
const says = (text: string) => waitFor(() => expect(main().textContent).toContain(text))
const choose = (name: 'Days' | 'Connections', count: string) => {
  const field = screen.getByRole('spinbutton', { name })
  enter(field, count)
  fireEvent.blur(field)
}
const inPounds = () =>
  fireEvent.click(within(main()).getAllByRole('radio', { name: /GBP/ })[0] as HTMLElement)

const WITH_CODE = { promocode: 'HEDGE23456', price: 45.24, discount: 4.52, total: 40.72 }
const applyCode = () => {
  fireEvent.click(button('Have a promocode?'))
  fill('Promocode', WITH_CODE.promocode)
  fireEvent.click(button('Apply'))
}

// One for both looks: a minute may pass between them, and its end is that much later for a new one.
const CONNECTION = aConnection({ _id: '00000000-0000-4000-8000-000000000001' })

type Page = { open: () => Promise<unknown>; change: () => unknown; shows: string }

const chooseOther = () => {
  choose('Days', '90')
  choose('Connections', '7')
  inPounds()
}

/** Every page with a price that changes while it is looked at, what changes it, and what it says then. */
const PAGES: Record<string, Page> = {
  home: { open: () => openShop('/'), change: chooseOther, shows: '90 days × £' },
  calculator: { open: () => openShop('/calculator'), change: chooseOther, shows: '90 days × £' },
  'home, where a plan is cheaper': {
    open: () => openShop('/'),
    change: () => {
      inPounds()
      choose('Days', '300')
    },
    shows: 'cost less as a plan: £180.00',
  },
  'home, of a customer who extends': {
    open: async () => {
      await openShopAs(aProfile({ connections: [CONNECTION] }), server, '/products')
      await screen.findByText('Extend connections you have')
    },
    change: () => {
      fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement)
      chooseOther()
    },
    shows: '90 days',
  },
  'the checkout of an order, with a promocode': {
    open: async () => {
      await openOrder(server)
      await screen.findByRole('button', { name: PAY_ORDER })
      server.answers('setPromocode', 200, anOrder(WITH_CODE))
    },
    change: applyCode,
    shows: 'Pay £40.72',
  },
  'the checkout of an order, where the country decides the tax': {
    open: async () => {
      server.answers('paymentMethods', 200, { ...aMethods(), asksCountry: true })
      await openOrder(server)
      // By the browser's zone, Japan.
      await screen.findByText(/^No VAT/)
    },
    change: () => fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'SE' } }),
    shows: 'Includes VAT of Sweden, 25%.',
  },
  'the checkout of a plan, with a promocode': {
    open: async () => {
      await openPlan(server)
      await screen.findByRole('button', { name: PAY_PLAN })
      server.answers('checkPromocode', 200, { promocode: WITH_CODE.promocode, percentage: 10 })
    },
    change: applyCode,
    shows: 'Pay £21.60',
  },
  'the referral programme': {
    open: () => openShop('/partnership/referral'),
    change: () => fireEvent.change(screen.getByLabelText(/currency/i), { target: { value: 'GBP' } }),
    shows: 'pays £',
  },
  'the promocode programme': {
    open: () => openShop('/partnership/promocode'),
    change: () => fireEvent.change(screen.getByLabelText(/currency/i), { target: { value: 'GBP' } }),
    shows: 'cost £',
  },
}

test.each(Object.entries(PAGES))('%s: what changes is seen on a translated page, too', async (_, page) => {
  await page.open()
  await page.change()
  await says(page.shows)
  const untranslated = main().textContent
  closeShop()
  localStorage.clear()
  await page.open()
  translatePage()
  await page.change()
  await says(page.shows)
  await waitFor(() => expect(main().textContent).toBe(untranslated))
})
