import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  aMethods,
  enterCard,
  LOST_ANSWERS,
  PAY_BLIK,
  PAY_ORDER,
  PAYMENT,
  press,
} from '#testing/checkouts.tsx'
import { anOrder, aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, openShopAs, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

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

describe.each([
  ['Open Banking', 'payByOpenBanking', 'ada@example.org', PAY_ORDER, {}],
  ['Blik', 'payByBlik', '', PAY_BLIK, { settles: 227.56 }],
] as const)('%s', (tab, call, email, payButton, also) => {
  const openTab = async (profile = {}) => {
    server.answers('getOrder', 200, anOrder())
    server.answers('paymentMethods', 200, aMethods())
    server.refuses('listBanks', 429)
    await openShopAs(aProfile(profile), server, `/checkout/${anOrder().orderId}`)
    fireEvent.click(await screen.findByRole('tab', { name: tab }))
    await screen.findByLabelText('First name')
  }
  const enterPayer = () => {
    fill('First name', 'Ada')
    fill('Last name', 'Lovelace')
    tick(/I accept/)
  }
  const payIt = async () => {
    enterPayer()
    await press(payButton)
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
  ])('%s with "%s" shows: %s', async (label, value, message) => {
    await openTab()
    enterPayer()
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
    fill(label, value)
    await screen.findByText(message)
    await waitFor(() => expect(button(payButton).disabled).toBe(true))
  })

  test('needs no email, but the terms', async () => {
    await openTab()
    enterPayer()
    fill(/^Email/, '')
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
    await waitFor(() => expect(button(payButton).disabled).toBe(true))
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
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
    fireEvent.click(screen.getByRole('tab', { name: 'Card' }))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
    expect(screen.getByLabelText<HTMLSelectElement>('Expiry month').value).toBe('07')
    await waitFor(() => expect(button(PAY_ORDER).disabled).toBe(false))
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
      ...also,
    })
  })

  test('that is not open says so in its place, and loses nothing', async () => {
    server.refuses(call, 409, 'Not open yet. Pay by card.', { code: 'method-not-open' })
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
    server.refuses(call, 404)
    await openTab()
    await payIt()
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })

  test.each(LOST_ANSWERS)('%s says to press again, and loses nothing', async (_, lose) => {
    await openTab()
    lose(server, call)
    await payIt()
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('The connection was lost')
    expect(notice.textContent).toContain('Press Pay again. You will be charged only once.')
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Ada')
    server.refuses(call, 409, 'Paid already', { paymentId: PAYMENT })
    await press(payButton)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
  })
})
