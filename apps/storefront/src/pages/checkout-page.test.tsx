import type { Order } from '@hedgerow/contract/orders'
import { cardYears } from '@hedgerow/domain/cards'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, button, closeShop, fill, openShopAs, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'
import { anOrder, aProfile } from '#testing/things.ts'

const PAYMENT = 'a'.repeat(32)

let server: ReturnType<typeof stubServer>
const assign = vi.fn()
beforeEach(() => {
  server = stubServer()
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  closeShop()
  assign.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = async (more: Partial<Order> = {}) => {
  const order = anOrder(more)
  server.answers('getOrder', 200, order)
  await openShopAs(aProfile(), server, `/checkout/${order.orderId}`)
  await screen.findByText('Your order')
}
const lastYear = String(cardYears(new Date()).at(-1)).slice(-2)
const enterCard = () => {
  fill('Card number', '4314220000000056')
  fill('Name on the card', "Ada O'Lovelace-King Jr.")
  fill('Expiry month', '07')
  fill('Expiry year', lastYear)
  fill('Security code', '123')
  tick(/I accept/)
}
const pay = async () => {
  enterCard()
  await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
  fireEvent.click(button('Pay £45.24'))
}

describe('the order', () => {
  test('is summed up with its days, connections, features and total', async () => {
    await open()
    const main = screen.getByRole('main').textContent
    for (const part of ['45 days', 'Connections5', 'Advertisement filter', 'Family content filter', '£45.24'])
      expect(main).toContain(part)
    expect(main).not.toContain('Priority bandwidth')
  })

  test('says who sells, whom to ask, and that nothing renews', async () => {
    await open()
    const main = screen.getByRole('main')
    expect(main.textContent).toContain('Sold by Example Hedgerow Limited, company number 00000000.')
    expect(main.textContent).toContain('Paid once; nothing renews by itself.')
    expect(within(main).getByRole('link', { name: 'hello@hedgerow.example' }).getAttribute('href')).toBe(
      'mailto:hello@hedgerow.example',
    )
  })

  test('that is not there leads back to the prices', async () => {
    server.refuses('getOrder', 404)
    await openShopAs(aProfile(), server, '/checkout/unknown')
    await screen.findByText('We could not find this order')
    expect(screen.getByRole('link', { name: 'Choose again' }).getAttribute('href')).toBe('/products')
  })

  test('that is paid offers no form', async () => {
    await open({ status: 'Completed' })
    await screen.findByText('This order is paid')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('that has expired offers no form', async () => {
    await open({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    await screen.findByText('This order has expired')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('that was declined can be paid again', async () => {
    await open({ status: 'Rejected' })
    await screen.findByText('The last payment was not taken')
    expect(screen.getByLabelText('Card number')).toBeTruthy()
  })
})

describe('the card form', () => {
  test.each([
    ['Card number', '', OUR_MESSAGES.panRequired],
    ['Card number', '431422000000005', OUR_MESSAGES.panLength],
    ['Name on the card', '', OUR_MESSAGES.cardHolderRequired],
    ['Name on the card', 'Ada & Co', OUR_MESSAGES.cardHolderCharacters],
    ['Expiry month', '', OUR_MESSAGES.monthRequired],
    ['Expiry year', '', OUR_MESSAGES.yearRequired],
    ['Security code', '', OUR_MESSAGES.cvvRequired],
    ['Security code', '12', OUR_MESSAGES.cvvLength],
  ])('%s with "%s" is told: %s', async (label, value, message) => {
    await open()
    fill(label, value)
    await screen.findByText(message)
    expect(button('Pay £45.24').disabled).toBe(true)
  })

  test('the terms have to be accepted', async () => {
    await open()
    tick(/I accept/)
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
  })

  test('a card that has expired is told, and not once it is right', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
    await open()
    enterCard()
    fill('Expiry month', '10')
    fill('Expiry year', '26')
    await screen.findByText(OUR_MESSAGES.expired)
    expect(button('Pay £45.24').disabled).toBe(true)
    fill('Expiry month', '11')
    await waitFor(() => expect(screen.queryByText(OUR_MESSAGES.expired)).toBeNull())
    expect(button('Pay £45.24').disabled).toBe(false)
    vi.useRealTimers()
  })

  test('groups the number in fours, and takes four digits of a security code', async () => {
    await open()
    enterCard()
    fill('Security code', '1234')
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
  })

  test('takes a number of up to thirty-two digits', async () => {
    await open()
    enterCard()
    fill('Card number', '4'.repeat(32))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe(Array(8).fill('4444').join(' '))
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
    fill('Card number', '5'.repeat(33))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toMatch(/^4444/)
  })

  test.each([
    ['month', 'year'],
    ['year', 'month'],
  ])('judges the expiry once %s and %s are chosen, with nothing else filled in', async (...order) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
    await open()
    const choices = { month: '10', year: '26' }
    for (const name of order) {
      expect(screen.queryByText(OUR_MESSAGES.expired)).toBeNull()
      // Chosen, not left.
      fireEvent.change(screen.getByLabelText(`Expiry ${name}`), {
        target: { value: choices[name as keyof typeof choices] },
      })
    }
    await screen.findByText(OUR_MESSAGES.expired)
    fireEvent.change(screen.getByLabelText('Expiry month'), { target: { value: '11' } })
    await waitFor(() => expect(screen.queryByText(OUR_MESSAGES.expired)).toBeNull())
    vi.useRealTimers()
  })

  test('offers this year and the next nine, with two digits', async () => {
    await open()
    const options = [...screen.getByLabelText<HTMLSelectElement>('Expiry year').options].slice(1)
    expect(options.map(({ value }) => value)).toEqual(
      cardYears(new Date()).map((year) => String(year).slice(-2)),
    )
  })
})

describe('paying', () => {
  test('sends the card with what was shown, and opens the result as a new document', async () => {
    server.answers('payByCard', 200, { paymentId: PAYMENT })
    await open()
    await pay()
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payByCard')[0]).toMatchObject({
      path: `/api/v1/orders/${anOrder().orderId}`,
      body: {
        total: 45.24,
        currency: 'GBP',
        pan: '4314220000000056',
        card_holder: "Ada O'Lovelace-King Jr.",
        month: 7,
        year: Number(lastYear),
        cvv: '123',
        acceptTerms: true,
        browser: { java_enabled: false },
      },
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('4314')
  })

  test('twice in a row pays once', async () => {
    server.hangs('payByCard')
    await open()
    await pay()
    fireEvent.click(button(/Pay/))
    fireEvent.submit(screen.getByLabelText('Card number'))
    await act(async () => {})
    expect(server.callsOf('payByCard')).toHaveLength(1)
  })

  test('what is under way already leads to its result', async () => {
    server.refuses('payByCard', 409, 'Under way', { paymentId: PAYMENT })
    await open()
    await pay()
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
  })

  test('what is paid already shows the order anew', async () => {
    server.refuses('payByCard', 409, 'This order is paid already.')
    await open()
    server.answers('getOrder', 200, anOrder({ status: 'Completed' }))
    await pay()
    await screen.findByText('This order is paid')
  })

  test('a refused field is told at the field', async () => {
    server.refuses('payByCard', 422, 'x', { errors: [{ path: 'pan', message: 'Not this card' }] })
    await open()
    await pay()
    await screen.findByText('Not this card')
    expect(document.activeElement).toBe(screen.getByLabelText('Card number'))
  })

  test('a changed total is told, and the order shown anew', async () => {
    server.refuses('payByCard', 422, 'The price has changed.', {
      errors: [{ path: 'total', message: 'x' }],
    })
    await open()
    await pay()
    expect((await screen.findByRole('alert')).textContent).toContain('The price has changed.')
    expect(server.callsOf('getOrder').length).toBeGreaterThan(1)
  })

  test('a lost connection says to look in the profile first', async () => {
    await open()
    await pay()
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('The connection broke. Check your profile before you pay again.')
    expect(notice.querySelector('a')?.getAttribute('href')).toBe('/profile')
    expect(server.callsOf('payByCard')).toHaveLength(1)
  })

  test('too often shows the message of the server', async () => {
    server.refuses('payByCard', 429, 'That was too often.')
    await open()
    await pay()
    expect((await screen.findByRole('alert')).textContent).toBe('That was too often.')
  })

  test.each([400, 404, 500, 502])('%i leads to /payment/reject', async (status) => {
    server.refuses('payByCard', status)
    await open()
    await pay()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })

  test('an answer without a payment leads to /payment/reject', async () => {
    server.answers('payByCard', 200, { paymentId: '' })
    await open()
    await pay()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })
})

describe.each([
  ['Open Banking', 'payByOpenBanking', 'ada@example.org'],
  ['Blik', 'payByBlik', ''],
] as const)('%s', (tab, call, email) => {
  const openTab = async (profile = {}) => {
    server.answers('getOrder', 200, anOrder())
    await openShopAs(aProfile(profile), server, `/checkout/${anOrder().orderId}`)
    fireEvent.click(await screen.findByRole('tab', { name: tab }))
  }
  const enterPayer = () => {
    fill('First name', 'Ada')
    fill('Last name', 'Lovelace')
    tick(/I accept/)
  }
  const payIt = async () => {
    enterPayer()
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
    fireEvent.click(button('Pay £45.24'))
  }

  test('knows what the profile knows', async () => {
    await openTab({ firstName: 'Ada', lastName: 'King' })
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Ada')
    expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('King')
    expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe(email)
  })

  test.each([
    ['First name', '', OUR_MESSAGES.firstNameRequired],
    ['Last name', '', OUR_MESSAGES.lastNameRequired],
    [/^Email/, 'ada@', MESSAGES.emailInvalid],
  ])('%s with "%s" is told: %s', async (label, value, message) => {
    await openTab()
    enterPayer()
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
    fill(label, value)
    await screen.findByText(message)
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(true))
  })

  test('needs no email, but the terms', async () => {
    await openTab()
    enterPayer()
    fill(/^Email/, '')
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(true))
  })

  test('keeps what was typed while another tab is looked at', async () => {
    await openTab()
    enterPayer()
    fill(/^Email/, 'else@example.org')
    fireEvent.click(screen.getByRole('tab', { name: 'Card' }))
    enterCard()
    fireEvent.click(screen.getByRole('tab', { name: tab }))
    expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Lovelace')
    expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('else@example.org')
    expect(screen.getByLabelText<HTMLInputElement>(/I accept/).checked).toBe(true)
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
    fireEvent.click(screen.getByRole('tab', { name: 'Card' }))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
    expect(screen.getByLabelText<HTMLSelectElement>('Expiry month').value).toBe('07')
    await waitFor(() => expect(button('Pay £45.24').disabled).toBe(false))
  })

  test('sends the payer with what was shown', async () => {
    server.answers(call, 200, { paymentId: PAYMENT })
    await openTab()
    await payIt()
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf(call)[0]?.body).toEqual({
      total: 45.24,
      currency: 'GBP',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email,
      acceptTerms: true,
    })
  })

  test('that is not open says so in its place, and loses nothing', async () => {
    server.refuses(call, 503, 'Not open yet. Pay by card.', { code: 'method-not-open' })
    await openTab()
    await payIt()
    await screen.findByText('Not open yet. Pay by card.')
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Ada')
    expect(address()).toContain('/checkout/')
    fireEvent.click(screen.getByRole('tab', { name: 'Card' }))
    expect(screen.queryByText('Not open yet. Pay by card.')).toBeNull()
    expect(screen.getByLabelText('Card number')).toBeTruthy()
  })

  test('that fails otherwise leads to /payment/reject', async () => {
    server.refuses(call, 503)
    await openTab()
    await payIt()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })
})
