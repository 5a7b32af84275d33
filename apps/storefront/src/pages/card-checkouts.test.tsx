import { cardYears } from '@hedgerow/domain/cards'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  enterCard,
  LOST_ANSWERS,
  openOrder,
  openPlan,
  PAY_ORDER,
  PAY_PLAN,
  PAYMENT,
  payByCard,
  press,
} from '#testing/checkouts.tsx'
import { address, button, closeShop, fill, settle, tick } from '#testing/open-shop.tsx'
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

const CHECKOUTS = [
  {
    of: 'an order',
    open: openOrder,
    call: 'payByCard',
    payButton: PAY_ORDER,
    answer: (paymentId: string) => ({ paymentId }),
  },
  {
    of: 'a plan',
    open: openPlan,
    call: 'payPlanByCard',
    payButton: PAY_PLAN,
    answer: (_id: string) => ({ _id }),
  },
] as const

describe.each(CHECKOUTS)('the card form for $of', ({ open, payButton }) => {
  test.each([
    ['Card number', '', OUR_MESSAGES.panRequired],
    ['Card number', '431422000000005', OUR_MESSAGES.panLength],
    ['Name on the card', '', OUR_MESSAGES.cardHolderRequired],
    ['Name on the card', 'Ada & Co', OUR_MESSAGES.cardHolderCharacters],
    ['Name on the card', 'Αδα Λάβλεϊς', OUR_MESSAGES.cardHolderCharacters],
    ['Expiry month', '', OUR_MESSAGES.monthRequired],
    ['Expiry year', '', OUR_MESSAGES.yearRequired],
    ['Security code', '', OUR_MESSAGES.cvvRequired],
    ['Security code', '12', OUR_MESSAGES.cvvLength],
  ])('%s with "%s" shows: %s', async (label, value, message) => {
    await open(server)
    fill(label, value)
    await screen.findByText(message)
    expect(button(payButton).disabled).toBe(true)
  })

  test('the terms have to be accepted', async () => {
    await open(server)
    tick(/I accept/)
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
  })

  test('a card that has expired is shown, and not once it is right', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
    await open(server)
    enterCard()
    fill('Expiry month', '10')
    fill('Expiry year', '26')
    await screen.findByText(OUR_MESSAGES.expired)
    expect(button(payButton).disabled).toBe(true)
    fill('Expiry month', '11')
    await waitFor(() => expect(screen.queryByText(OUR_MESSAGES.expired)).toBeNull())
    expect(button(payButton).disabled).toBe(false)
    vi.useRealTimers()
  })

  test('groups the number in fours, and takes four digits of a security code', async () => {
    await open(server)
    enterCard()
    fill('Security code', '1234')
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
  })

  test('says whose card a number is while it is typed', async () => {
    await open(server)
    const number = screen.getByLabelText('Card number')
    for (const [digits, brand] of [
      ['4', 'Visa'],
      ['55', 'Mastercard'],
      ['67', 'Maestro'],
    ] as const) {
      fireEvent.input(number, { target: { value: digits } })
      await screen.findByText(brand)
    }
    fill('Card number', '')
    expect(screen.queryByText('Maestro')).toBeNull()
  })

  test('points out a number that fails its check digit, and takes it all the same', async () => {
    await open(server)
    enterCard()
    expect(screen.queryByText(/looks mistyped/)).toBeNull()
    fill('Card number', '4314220000000057')
    await screen.findByText('Check the number: it looks mistyped.')
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
    fill('Card number', '4314220000000056')
    await waitFor(() => expect(screen.queryByText(/looks mistyped/)).toBeNull())
  })

  test('takes a number of up to thirty-two digits', async () => {
    await open(server)
    enterCard()
    fill('Card number', '4'.repeat(32))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe(Array(8).fill('4444').join(' '))
    await waitFor(() => expect(button(payButton).disabled).toBe(false))
    fill('Card number', '5'.repeat(33))
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toMatch(/^4444/)
  })

  test.each([
    ['month', 'year'],
    ['year', 'month'],
  ])('judges the expiry once %s and %s are chosen, with nothing else filled in', async (...order) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
    await open(server)
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
    await open(server)
    const options = [...screen.getByLabelText<HTMLSelectElement>('Expiry year').options].slice(1)
    expect(options.map(({ value }) => value)).toEqual(
      cardYears(new Date()).map((year) => String(year).slice(-2)),
    )
  })
})

describe.each(CHECKOUTS)('paying for $of by card', ({ open, call, payButton, answer }) => {
  test('twice in a row pays once', async () => {
    server.hangs(call)
    await open(server)
    await payByCard(payButton)
    fireEvent.click(button(/Pay/))
    fireEvent.submit(screen.getByLabelText('Card number'))
    await settle()
    expect(server.callsOf(call)).toHaveLength(1)
  })

  test('the apostrophe that a phone types in a name is sent as a plain one', async () => {
    server.answers(call, 200, answer(PAYMENT) as never)
    await open(server)
    enterCard()
    fill('Name on the card', 'Ada O’Brien')
    await press(payButton)
    await waitFor(() => expect(server.callsOf(call)[0]?.body).toMatchObject({ card_holder: "Ada O'Brien" }))
  })

  test('what was bought a moment ago leads to its result', async () => {
    server.refuses(call, 409, 'Under way', { paymentId: PAYMENT })
    await open(server)
    await payByCard(payButton)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
  })

  test('an attempt under way is left for the card that is filled in', async () => {
    server.refuses(call, 409, 'Under way', { code: 'payment-under-way', paymentId: PAYMENT })
    await open(server)
    await payByCard(payButton)
    fireEvent.click(await screen.findByRole('button', { name: 'Start again' }))
    await waitFor(() => expect(server.callsOf(call)).toHaveLength(2))
    expect(server.callsOf(call)[1]?.body).toMatchObject({ instead: PAYMENT, pan: '4314220000000056' })
    expect(assign).not.toHaveBeenCalled()
  })

  test('a refused field is shown at the field', async () => {
    server.refuses(call, 422, 'x', { errors: [{ path: 'pan', message: 'Not this card' }] })
    await open(server)
    await payByCard(payButton)
    await screen.findByText('Not this card')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Card number')))
  })

  test.each([400, 403, 404])('%i leads to /payment/reject', async (status) => {
    server.refuses(call, status)
    await open(server)
    await payByCard(payButton)
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })

  test('an answer without a payment leads to /payment/reject', async () => {
    server.answers(call, 200, answer(''))
    await open(server)
    await payByCard(payButton)
    await waitFor(() => expect(address()).toBe('/payment/reject'))
  })

  test.each(LOST_ANSWERS)('%s says to press again, and keeps the card for that', async (_, lose) => {
    await open(server)
    lose(server, call)
    await payByCard(payButton)
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('The connection was lost')
    expect(notice.textContent).toContain('Press Pay again. You will be charged only once.')
    await waitFor(() => expect(document.activeElement?.contains(notice)).toBe(true))
    expect(address()).toContain('/checkout/')
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
    expect(screen.getByLabelText<HTMLInputElement>('Security code').value).toBe('123')
    server.answers(call, 200, answer(PAYMENT) as never)
    await press(payButton)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    const [first, second] = server.callsOf(call).map(({ body }) => body)
    expect(second).toEqual(first)
  })

  test('a failure of the shop tells by what it is found', async () => {
    server.refuses(call, 500, 'Something went wrong', { requestId: 'abc-123' })
    await open(server)
    await payByCard(payButton)
    expect((await screen.findByRole('alert')).textContent).toContain('Reference abc-123')
  })
})
