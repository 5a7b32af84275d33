import type { Order } from '@hedgerow/contract/orders'
import type { Bank } from '@hedgerow/contract/payment-actions'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aMethods, openOrder, PAY_BLIK, PAY_ORDER, PAYMENT, press } from '#testing/checkouts.tsx'
import { button, closeShop, fill, settle, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const BANKS: Bank[] = [
  { id: '3541', name: 'Barclays', country: 'uk', currency: 'GBP' },
  { id: '3871', name: 'Starling', country: 'uk', currency: 'GBP' },
  { id: '5103', name: 'N26', country: 'germany', currency: 'EUR' },
  { id: '5201', name: 'BNP Paribas', country: 'france', currency: 'EUR' },
]
const IN_EUROS = { currency: { code: 'EUR', symbol: '€' }, total: 30 } as const

let server: ReturnType<typeof stubServer>
const assign = vi.fn()
beforeEach(() => {
  server = stubServer()
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
  server.answers('paymentMethods', 200, aMethods())
  server.answers('listBanks', 200, BANKS)
})
afterEach(() => {
  closeShop()
  assign.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const openTab = async (name: string, order: Partial<Order> = {}) => {
  await openOrder(server, order)
  fireEvent.click(screen.getByRole('tab', { name }))
}
const enterPayer = async () => {
  await screen.findByLabelText('First name')
  fill('First name', 'Ada')
  fill('Last name', 'Lovelace')
  tick(/I accept/)
}
const bankList = () => screen.findByLabelText<HTMLSelectElement>('Your bank')

describe('Bitcoin and Lightning', () => {
  const NAME = 'Bitcoin and Lightning'

  test('has no tab until operators turn it on', async () => {
    await openOrder(server)
    expect(screen.getAllByRole('tab')).toHaveLength(3)
    expect(screen.queryByRole('tab', { name: NAME })).toBeNull()
  })

  test('says what a refund pays back, and leads to the page where it is paid', async () => {
    server.answers('paymentMethods', 200, { ...aMethods(), takesCrypto: true })
    server.answers('payByCrypto', 200, { paymentId: PAYMENT })
    await openOrder(server)
    fireEvent.click(await screen.findByRole('tab', { name: NAME }))
    screen.getByText(/A refund pays back the price in GBP, in bitcoin at the rate of the day/)
    tick(/I accept/)
    await press(PAY_ORDER)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payByCrypto')[0]?.body).toMatchObject({ acceptTerms: true, currency: 'GBP' })
  })
})

describe('Open Banking', () => {
  test('lists the banks of the currency by country, and asks for none before its tab is shown', async () => {
    await openOrder(server, IN_EUROS)
    expect(server.callsOf('listBanks')).toHaveLength(0)
    fireEvent.click(screen.getByRole('tab', { name: 'Open Banking' }))
    const list = within(await bankList())
    expect(list.getAllByRole('group').map((group) => group.getAttribute('label'))).toEqual([
      'Germany',
      'France',
    ])
    expect(list.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Choose your bank',
      'N26',
      'BNP Paribas',
    ])
  })

  test('sends the bank that was chosen', async () => {
    server.answers('payByOpenBanking', 200, { paymentId: PAYMENT })
    await openTab('Open Banking')
    await enterPayer()
    fireEvent.change(await bankList(), { target: { value: '3871' } })
    await press(PAY_ORDER)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payByOpenBanking')[0]?.body).toMatchObject({ bankId: '3871', firstName: 'Ada' })
  })

  test('without a choice says so at the list, and sends nothing', async () => {
    await openTab('Open Banking')
    await enterPayer()
    await bankList()
    await press(PAY_ORDER)
    await screen.findByText(OUR_MESSAGES.bank)
    await waitFor(async () => expect(document.activeElement).toBe(await bankList()))
    expect(server.callsOf('payByOpenBanking')).toHaveLength(0)
    fireEvent.change(await bankList(), { target: { value: '3541' } })
    await waitFor(() => expect(screen.queryByText(OUR_MESSAGES.bank)).toBeNull())
    await waitFor(() => expect(button(PAY_ORDER).disabled).toBe(false))
  })

  test('a list that did not load is loaded again, and is not needed', async () => {
    server.refuses('listBanks', 429)
    server.answers('payByOpenBanking', 200, { paymentId: PAYMENT })
    await openTab('Open Banking')
    await screen.findByText('The list of banks did not load')
    await screen.findByText(/choose your bank on the next page/)
    await enterPayer()
    await waitFor(() => expect(button(PAY_ORDER).disabled).toBe(false))
    server.answers('listBanks', 200, BANKS)
    fireEvent.click(button('Try again'))
    await bankList()
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Ada')
  })

  test('a list without a bank for the currency did not load either, and is not needed', async () => {
    server.answers('listBanks', 200, [BANKS[0] as Bank])
    server.answers('payByOpenBanking', 200, { paymentId: PAYMENT })
    await openTab('Open Banking', IN_EUROS)
    await screen.findByText(/choose your bank on the next page/)
    await enterPayer()
    await press('Pay €30.00')
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payByOpenBanking')[0]?.body).not.toHaveProperty('bankId')
  })

  test('where there is no next page to choose on, nothing is sent without the list', async () => {
    const methods = aMethods()
    server.answers('paymentMethods', 200, {
      ...methods,
      openBanking: { ...methods.openBanking, needsBank: true },
    })
    server.refuses('listBanks', 503)
    await openTab('Open Banking')
    await screen.findByText('Try again, or pay another way.')
    expect(screen.queryByText(/on the next page/)).toBeNull()
    await enterPayer()
    expect(button(PAY_ORDER).disabled).toBe(true)
    server.answers('listBanks', 200, BANKS)
    fireEvent.click(button('Try again'))
    fireEvent.change(await bankList(), { target: { value: '3541' } })
    await waitFor(() => expect(button(PAY_ORDER).disabled).toBe(false))
  })

  test('a bank that cannot be looked up is said so, and nothing typed is lost', async () => {
    server.refuses('payByOpenBanking', 503, 'We cannot look up your bank. Nothing was charged.', {
      code: 'banks-unknown',
    })
    await openTab('Open Banking')
    await enterPayer()
    fireEvent.change(await bankList(), { target: { value: '3541' } })
    await press(PAY_ORDER)
    await screen.findByText('We cannot look up your bank. Nothing was charged.')
    expect((await bankList()).value).toBe('3541')
  })

  test('without a list no bank is sent', async () => {
    server.hangs('listBanks')
    server.answers('payByOpenBanking', 200, { paymentId: PAYMENT })
    await openTab('Open Banking')
    await enterPayer()
    await press(PAY_ORDER)
    await waitFor(() => expect(server.callsOf('payByOpenBanking')).toHaveLength(1))
    expect(server.callsOf('payByOpenBanking')[0]?.body).not.toHaveProperty('bankId')
  })

  test('a currency that no bank takes is said before paying', async () => {
    server.answers('paymentMethods', 200, { ...aMethods(), openBanking: { currencies: ['GBP'] } })
    await openTab('Open Banking', IN_EUROS)
    await screen.findByText('You cannot pay from a bank account in EUR here')
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
  })
})

describe('Blik', () => {
  test('says what it comes to, with the rate and its date, and sends that sum', async () => {
    server.answers('payByBlik', 200, { paymentId: PAYMENT })
    await openTab('Blik', IN_EUROS)
    await screen.findByText('€30.00 = 127.50 PLN at 4.25, rate of 20/11/2026')
    await enterPayer()
    await press('Pay 127.50 PLN')
    await waitFor(() => expect(assign).toHaveBeenCalled())
    expect(server.callsOf('payByBlik')[0]?.body).toMatchObject({ total: 30, currency: 'EUR', settles: 127.5 })
  })

  test('a rate that has changed is shown, with the new sum', async () => {
    server.refuses('payByBlik', 422, OUR_MESSAGES.settles, {
      errors: [{ path: 'settles', message: OUR_MESSAGES.settles }],
    })
    await openTab('Blik')
    await enterPayer()
    const methods = aMethods()
    methods.blik.rates = [{ currency: 'GBP', rateMicro: 5_100_000, setAt: '2026-11-22T12:00:00Z' }]
    server.answers('paymentMethods', 200, methods)
    await press(PAY_BLIK)
    await screen.findByText(OUR_MESSAGES.settles)
    await screen.findByText('£45.24 = 230.72 PLN at 5.10, rate of 22/11/2026')
    expect(button('Pay 230.72 PLN').disabled).toBe(false)
  })

  test('what cannot be paid is said before: no rate, or too much', async () => {
    server.answers('paymentMethods', 200, { ...aMethods(), blik: { rates: [] } })
    await openTab('Blik', IN_EUROS)
    await screen.findByText('You cannot pay by Blik in EUR here')
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
    closeShop()
    server.answers('paymentMethods', 200, aMethods())
    await openTab('Blik', { ...IN_EUROS, total: 2352.95 })
    await screen.findByText('Blik takes 10,000 PLN at most')
    await screen.findByText(/comes to 10000.04 PLN/)
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
  })

  test('a rate that did not load is loaded again, and nothing is paid without it', async () => {
    server.refuses('paymentMethods', 429)
    await openTab('Blik')
    await screen.findByText('The rate did not load')
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull()
    server.answers('paymentMethods', 200, aMethods())
    fireEvent.click(button('Try again'))
    await screen.findByText(/^£45.24 = 227.56 PLN/)
  })
})

describe('a payment that is under way', () => {
  const refuse = (paymentId = PAYMENT) =>
    server.refuses('payByBlik', 409, 'Under way', { code: 'payment-under-way', paymentId })
  const payIt = async () => {
    await openTab('Blik')
    await enterPayer()
    refuse()
    await press(PAY_BLIK)
    await screen.findByText('You have already started to pay for this')
  }

  test('can be gone on with', async () => {
    await payIt()
    const link = screen.getByRole('link', { name: 'Continue with that payment' })
    expect(link.getAttribute('href')).toBe(`/payment/result/${PAYMENT}`)
    expect(assign).not.toHaveBeenCalled()
  })

  test('can be left for the one that is filled in', async () => {
    await payIt()
    server.answers('payByBlik', 200, { paymentId: 'b'.repeat(32) })
    fireEvent.click(button('Start again'))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${'b'.repeat(32)}`))
    const [first, second] = server.callsOf('payByBlik').map(({ body }) => body)
    expect(first).not.toHaveProperty('instead')
    expect(second).toMatchObject({ instead: PAYMENT, firstName: 'Ada', settles: 227.56 })
  })

  test('that a bank is working on cannot be left, and is led to', async () => {
    await payIt()
    fireEvent.click(button('Start again'))
    await screen.findByText('Your bank is working on that payment')
    expect(screen.queryByRole('button', { name: 'Start again' })).toBeNull()
    expect(screen.getByRole('link', { name: 'See its status' }).getAttribute('href')).toBe(
      `/payment/result/${PAYMENT}`,
    )
  })

  test('and another one begun meanwhile is offered anew', async () => {
    await payIt()
    refuse('c'.repeat(32))
    fireEvent.click(button('Start again'))
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'Continue with that payment' }).getAttribute('href')).toContain(
        'ccc',
      ),
    )
  })

  test('is left once, however often the button is pressed', async () => {
    await payIt()
    server.hangs('payByBlik')
    const again = button('Start again')
    fireEvent.click(again)
    fireEvent.click(again)
    await settle()
    expect(server.callsOf('payByBlik')).toHaveLength(2)
  })
})
