import type { ShopItem } from '@hedgerow/contract/shop'
import { cardYears } from '@hedgerow/domain/cards'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, button, closeShop, fill, openShop, openShopAs, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'
import { anItem, aProfile, LAYER } from '#testing/things.ts'

const PAYMENT = 'a'.repeat(32)
const PATH = `/payment/checkout/${anItem()._id}`

let server: ReturnType<typeof stubServer>
const assign = vi.fn()
beforeEach(() => {
  server = stubServer()
  server.answers('listLayers', 200, [LAYER])
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  closeShop()
  assign.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = async (more: Partial<ShopItem> = {}) => {
  server.answers('listItems', 200, [anItem(more)])
  await openShopAs(aProfile(), server, PATH)
  await screen.findByText('Your plan')
}
const lastYear = String(cardYears(new Date()).at(-1)).slice(-2)
const enterCard = () => {
  fill('Card number', '4314220000000056')
  fill('Name on the card', 'Ada Lovelace')
  fill('Expiry month', '07')
  fill('Expiry year', lastYear)
  fill('Security code', '123')
  tick(/I accept/)
}
const pay = async () => {
  enterCard()
  await waitFor(() => expect(button('Pay £24.00').disabled).toBe(false))
  fireEvent.click(button('Pay £24.00'))
}

describe('the plan', () => {
  test('is summed up with its name, period, connections and price in pounds', async () => {
    await open()
    const main = screen.getByRole('main').textContent
    for (const part of ['PlanWren', 'Duration31 days', 'Connections3', 'Total£24.00'])
      expect(main).toContain(part)
    expect(document.title).toMatch(/Checkout$/)
  })

  test('of any other period is shown as Ethernity, which never expires', async () => {
    await open({ period: 'for good' })
    expect(screen.getByRole('main').textContent).toContain('DurationEthernity, never expires')
    expect(screen.queryByText(/for good/)).toBeNull()
  })

  test('that is not sold leads back to the prices', async () => {
    server.answers('listItems', 200, [anItem({ _id: '00000000-0000-4000-8000-0000000000ff' })])
    await openShopAs(aProfile(), server, PATH)
    await screen.findByText('We could not find this plan')
    expect(screen.getByRole('link', { name: 'See the prices' }).getAttribute('href')).toBe('/products')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('that does not load says so, and is asked for again', async () => {
    server.refuses('listItems', 429, 'That was too often.')
    await openShopAs(aProfile(), server, PATH)
    await screen.findByText('The plan did not load')
    server.answers('listItems', 200, [anItem()])
    fireEvent.click(button('Try again'))
    await screen.findByText('Your plan')
  })

  test('that is still loading is told', async () => {
    server.hangs('listItems')
    await openShopAs(aProfile(), server, PATH)
    await screen.findByText('Loading the plan')
  })

  test('is for customers: a visitor logs in first and comes back', async () => {
    server.answers('listItems', 200, [anItem()])
    await openShop(PATH)
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(PATH)}`))
  })
})

describe('the card form', () => {
  test.each([
    ['Card number', '', OUR_MESSAGES.panRequired],
    ['Card number', '431422000000005', OUR_MESSAGES.panLength],
    ['Name on the card', 'Ada & Co', OUR_MESSAGES.cardHolderCharacters],
    ['Expiry month', '', OUR_MESSAGES.monthRequired],
    ['Expiry year', '', OUR_MESSAGES.yearRequired],
    ['Security code', '12', OUR_MESSAGES.cvvLength],
  ])('%s with "%s" is told: %s', async (label, value, message) => {
    await open()
    fill(label, value)
    await screen.findByText(message)
    expect(button('Pay £24.00').disabled).toBe(true)
  })

  test('the terms have to be accepted', async () => {
    await open()
    tick(/I accept/)
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
  })
})

describe('paying', () => {
  test('sends the card with the id of the plan, and opens the result as a new document', async () => {
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    await open()
    await pay()
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payPlanByCard')[0]?.body).toMatchObject({
      id: anItem()._id,
      pan: '4314220000000056',
      card_holder: 'Ada Lovelace',
      month: 7,
      year: Number(lastYear),
      cvv: '123',
      acceptTerms: true,
      browser: { java_enabled: false },
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('4314')
  })

  test('twice in a row pays once', async () => {
    server.hangs('payPlanByCard')
    await open()
    await pay()
    fireEvent.click(button(/Pay/))
    fireEvent.submit(screen.getByLabelText('Card number'))
    await act(async () => {})
    expect(server.callsOf('payPlanByCard')).toHaveLength(1)
  })

  test('what is under way already leads to its result', async () => {
    server.refuses('payPlanByCard', 409, 'Under way', { paymentId: PAYMENT })
    await open()
    await pay()
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
  })

  test('what was retired meanwhile is told', async () => {
    server.refuses('payPlanByCard', 409, 'This plan is no longer sold.')
    await open()
    server.answers('listItems', 200, [])
    await pay()
    await screen.findByText('We could not find this plan')
  })

  test('a refused field is told at the field', async () => {
    server.refuses('payPlanByCard', 422, 'x', { errors: [{ path: 'pan', message: 'Not this card' }] })
    await open()
    await pay()
    await screen.findByText('Not this card')
    expect(document.activeElement).toBe(screen.getByLabelText('Card number'))
  })

  test('a lost connection says to look in the profile first', async () => {
    await open()
    await pay()
    expect((await screen.findByRole('alert')).textContent).toContain('before you pay again')
    expect(server.callsOf('payPlanByCard')).toHaveLength(1)
  })

  test.each([404, 500, 502])('%i leads to /payment/reject', async (status) => {
    server.refuses('payPlanByCard', status)
    await open()
    await pay()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })

  test('an answer without a payment leads to /payment/reject', async () => {
    server.answers('payPlanByCard', 200, { _id: '' })
    await open()
    await pay()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })
})
