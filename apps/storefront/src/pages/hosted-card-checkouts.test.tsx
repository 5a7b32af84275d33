import type { PaymentMethods } from '@hedgerow/contract/payment-actions'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  LOST_ANSWERS,
  openOrder,
  openPlan,
  PAY_ORDER,
  PAY_PLAN,
  PAYMENT,
  press,
} from '#testing/checkouts.tsx'
import { button, closeShop, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  closeShop()
})

const HOSTED: PaymentMethods = {
  card: { hosted: true },
  openBanking: { currencies: ['EUR'] },
  blik: { rates: [] },
}

const aHostedShop = () => {
  const server = stubServer()
  server.answers('paymentMethods', 200, HOSTED)
  return server
}

describe('where the card is typed on the payment company’s page', () => {
  test('the order’s checkout asks for the terms alone, and sends nothing of a card', async () => {
    const server = aHostedShop()
    server.answers('payByCard', 200, { paymentId: PAYMENT })
    await openOrder(server)
    await screen.findByText(/enter your card details on our payment company’s secure page/)
    expect(screen.queryByLabelText('Card number')).toBeNull()
    expect(button(PAY_ORDER).disabled).toBe(true)
    tick(/I accept/)
    await press(PAY_ORDER)
    await waitFor(() => expect(server.callsOf('payByCard')).toHaveLength(1))
    expect(server.callsOf('payByCard')[0]?.body).toEqual({ total: 45.24, currency: 'GBP', acceptTerms: true })
  })

  test('so does the plan’s', async () => {
    const server = aHostedShop()
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    await openPlan(server)
    await screen.findByText(/enter your card details on our payment company’s secure page/)
    expect(screen.queryByLabelText('Card number')).toBeNull()
    tick(/I accept/)
    await press(PAY_PLAN)
    await waitFor(() => expect(server.callsOf('payPlanByCard')).toHaveLength(1))
    expect(Object.keys(server.callsOf('payPlanByCard')[0]?.body as object)).toEqual([
      'id',
      'acceptTerms',
      'purchaseId',
    ])
  })

  test.each(LOST_ANSWERS)('%s says to press again, and sends the same', async (_, lose) => {
    const server = aHostedShop()
    await openPlan(server)
    lose(server, 'payPlanByCard')
    await screen.findByText(/enter your card details on our payment company’s secure page/)
    tick(/I accept/)
    await press(PAY_PLAN)
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Press Pay again. You will be charged only once.',
    )
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    await press(PAY_PLAN)
    await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    const [first, second] = server.callsOf('payPlanByCard').map(({ body }) => body)
    expect(second).toEqual(first)
  })

  test('the other form is shown where cards are taken by it since the page was opened', async () => {
    const server = aHostedShop()
    server.refuses('payByCard', 422, 'Please check the card.', {
      errors: [{ path: 'pan', message: 'Please enter the card number.' }],
    })
    await openOrder(server)
    await screen.findByText(/enter your card details on our payment company’s secure page/)
    server.answers('paymentMethods', 200, { ...HOSTED, card: { hosted: false } })
    tick(/I accept/)
    await press(PAY_ORDER)
    await screen.findByLabelText('Card number')
  })

  test('no card form is shown while it is not known, and it can be loaded again', async () => {
    const server = stubServer()
    server.refuses('paymentMethods', 422, 'Not now')
    await openOrder(server)
    await screen.findByText('The card form did not load')
    expect(screen.queryByLabelText('Card number')).toBeNull()
    server.answers('paymentMethods', 200, HOSTED)
    fireEvent.click(button('Try again'))
    await screen.findByText(/enter your card details on our payment company’s secure page/)
  })
})
