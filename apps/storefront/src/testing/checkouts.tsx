import type { Order } from '@hedgerow/contract/orders'
import type { PaymentMethods } from '@hedgerow/contract/payment-actions'
import type { ShopItem } from '@hedgerow/contract/plans'
import { cardYears } from '@hedgerow/domain/cards'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { anItem, anOrder, aProfile, LAYER } from '#testing/fixtures.ts'
import { button, fill, openShopAs, tick } from '#testing/open-shop.tsx'
import type { stubServer } from '#testing/server.ts'

type Server = ReturnType<typeof stubServer>
type Call = Parameters<Server['refuses']>[0]

/** What may become of a call that pays, of which nobody then knows whether it has started a payment. */
export const LOST_ANSWERS: readonly [string, (server: Server, call: Call) => void][] = [
  ['a connection that broke', (server, call) => server.breaks(call)],
  ['a server that failed', (server, call) => server.refuses(call, 500, 'Something went wrong on our side.')],
  ['a proxy without the shop behind it', (server, call) => server.garbles(call, 502)],
  ['a shop that cannot answer now', (server, call) => server.refuses(call, 503, 'We cannot answer now.')],
  ['a proxy that has waited too long', (server, call) => server.garbles(call, 504)],
  ['an answer that broke off', (server, call) => server.garbles(call, 200)],
  ['no answer in time', (server, call) => server.outlasts(call)],
]

/** The id of a payment. */
export const PAYMENT = 'a'.repeat(32)
export const PLAN_PATH = `/payment/checkout/${anItem()._id}`
export const PAY_ORDER = 'Pay £45.24'
export const PAY_PLAN = 'Pay £24.00'

/** £45.24 at 5.03. */
export const PAY_BLIK = 'Pay 227.56 PLN'

/** All that Open Banking and Blik can be paid with. */
export const aMethods = (): PaymentMethods => ({
  card: { hosted: false },
  openBanking: { currencies: ['GBP', 'EUR'] },
  blik: {
    rates: [
      { currency: 'EUR', rateMicro: 4_250_000, setAt: '2026-11-20T12:00:00Z' },
      { currency: 'GBP', rateMicro: 5_030_000, setAt: '2026-11-21T12:00:00Z' },
    ],
  },
})

export const openOrder = async (server: Server, more: Partial<Order> = {}) => {
  const order = anOrder(more)
  server.answers('getOrder', 200, order)
  await openShopAs(aProfile(), server, `/checkout/${order.orderId}`)
  await screen.findByText('Your order')
}

export const openPlan = async (server: Server, more: Partial<ShopItem> = {}) => {
  server.answers('listLayers', 200, [LAYER])
  server.answers('listItems', 200, [anItem(more)])
  await openShopAs(aProfile(), server, PLAN_PATH)
  await screen.findByText('Your plan')
}

/** The last year that the form offers. */
const LAST_YEAR = String(cardYears(new Date()).at(-1)).slice(-2)

export const enterCard = () => {
  fill('Card number', '4314220000000056')
  fill('Name on the card', "Ada O'Lovelace-King Jr.")
  fill('Expiry month', '07')
  fill('Expiry year', LAST_YEAR)
  fill('Security code', '123')
  tick(/I accept/)
}

/** The card as it is to be sent. */
export const SENT_CARD = {
  pan: '4314220000000056',
  card_holder: "Ada O'Lovelace-King Jr.",
  month: 7,
  year: Number(LAST_YEAR),
  cvv: '123',
  acceptTerms: true,
  browser: { java_enabled: false },
}

/** Waits until the form may be sent, and sends it. */
export const press = async (name: string) => {
  await waitFor(() => expect(button(name).disabled).toBe(false))
  fireEvent.click(button(name))
}

export const payByCard = async (name: string) => {
  enterCard()
  await press(name)
}
