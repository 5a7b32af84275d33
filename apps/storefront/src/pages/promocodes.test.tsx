import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  aMethods,
  enterCard,
  openOrder,
  openPlan,
  PAY_ORDER,
  PAYMENT,
  PLAN_PATH,
  press,
} from '#testing/checkouts.tsx'
import { anOrder, aProfile } from '#testing/fixtures.ts'
import { button, closeShop, fill, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
const assign = vi.fn()
beforeEach(() => {
  server = stubServer()
  localStorage.clear()
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  closeShop()
  assign.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const CODE = 'HEDGE23456'
const WITH_CODE = { promocode: CODE, price: 45.24, discount: 4.52, total: 40.72 }
const UNKNOWN = 'This promocode is not valid. Check it, or pay without it'
const USED_UP = 'This promocode has reached its limit'
const PAY_LESS = 'Pay £40.72'

const field = () => screen.getByLabelText<HTMLInputElement>('Promocode')
const disclosure = () => screen.queryByRole('button', { name: 'Have a promocode?' })
const removal = () => screen.findByRole('button', { name: `Remove the promocode ${CODE}` })
const main = () => screen.getByRole('main').textContent
const typeCode = async (code: string) => {
  if (disclosure()) fireEvent.click(button('Have a promocode?'))
  fill('Promocode', code)
}
const enter = async (code: string) => {
  await typeCode(code)
  fireEvent.click(button('Apply'))
}
const refuseCode = (name: 'setPromocode' | 'checkPromocode', message = UNKNOWN) =>
  server.refuses(name, 422, message, { errors: [{ path: 'promocode', message }] })

describe("a promocode on an order's checkout", () => {
  test('is offered quietly, and takes the focus when it is wanted', async () => {
    await openOrder(server)
    expect(screen.queryByLabelText('Promocode')).toBeNull()
    fireEvent.click(button('Have a promocode?'))
    await waitFor(() => expect(document.activeElement).toBe(field()))
  })

  test('stands between the price and the total, and every sum follows', async () => {
    server.answers('paymentMethods', 200, aMethods())
    await openOrder(server)
    server.answers('setPromocode', 200, anOrder(WITH_CODE))
    await enter('hedge23456')
    await waitFor(async () => expect(document.activeElement).toBe(await removal()))
    expect(server.callsOf('setPromocode')[0]).toMatchObject({
      path: `/api/v1/orders/${anOrder().orderId}/promocode`,
      body: { promocode: 'hedge23456' },
    })
    expect(main()).toContain(`Price£45.24Promocode ${CODE}−£4.52`)
    expect(screen.getByText('£40.72', { selector: 'output' })).toBeTruthy()
    button(PAY_LESS)
    fireEvent.click(screen.getByRole('tab', { name: 'Blik' }))
    await screen.findByText(/£40.72 = 204.82 PLN at 5.03/)
  })

  test('is applied by Enter, which pays nothing; two presses are one call', async () => {
    await openOrder(server)
    server.hangs('setPromocode')
    await typeCode(CODE)
    const form = field().form
    if (form) fireEvent.submit(form)
    if (form) fireEvent.submit(form)
    await waitFor(() => expect(button('Apply').getAttribute('aria-busy')).toBe('true'))
    expect(server.callsOf('setPromocode')).toHaveLength(1)
    expect(server.callsOf('payByCard')).toHaveLength(0)
  })

  test.each([[UNKNOWN], ['This is your own promocode. It is for others to use'], [USED_UP]])(
    'that is refused is shown at the field, and stays typed: %s',
    async (message) => {
      await openOrder(server)
      refuseCode('setPromocode', message)
      await enter('NOPE')
      const notice = await screen.findByText(message)
      expect(field().getAttribute('aria-describedby')).toBe(notice.closest('p')?.id)
      // Enter leaves the focus in the field, so it has to be read out as well.
      expect(notice.closest('[role=alert]')).not.toBeNull()
      expect(field().getAttribute('aria-invalid')).toBe('true')
      expect(field().value).toBe('NOPE')
      await waitFor(() => expect(document.activeElement).toBe(field()))
      button(PAY_ORDER)
    },
  )

  test('that was typed and not sent is applied by Pay, which then waits for the new sum to be seen', async () => {
    await openOrder(server)
    server.answers('setPromocode', 200, anOrder(WITH_CODE))
    server.answers('payByCard', 200, { paymentId: PAYMENT })
    await enterCard()
    await typeCode(CODE)
    await press(PAY_ORDER)
    await screen.findByText(/Your promocode was applied. Nothing was charged yet/)
    expect(server.callsOf('payByCard')).toHaveLength(0)
    await press(PAY_LESS)
    await waitFor(() => expect(server.callsOf('payByCard')).toHaveLength(1))
  })

  test('that Pay finds refused does not keep anyone from paying without it', async () => {
    await openOrder(server)
    refuseCode('setPromocode')
    server.answers('payByCard', 200, { paymentId: PAYMENT })
    await enterCard()
    await typeCode('NOPE')
    await press(PAY_ORDER)
    await screen.findByText(UNKNOWN)
    expect(server.callsOf('payByCard')).toHaveLength(0)
    await press(PAY_ORDER)
    await waitFor(() => expect(server.callsOf('payByCard')).toHaveLength(1))
  })

  test('that is empty is not sent', async () => {
    await openOrder(server)
    await enter('  ')
    await screen.findByText('Enter a promocode')
    expect(server.callsOf('setPromocode')).toHaveLength(0)
  })

  test('that is sent too often is shown', async () => {
    await openOrder(server)
    server.refuses('setPromocode', 429, 'Too many attempts.')
    await enter(CODE)
    await screen.findByText('Too many attempts.')
    expect(field().value).toBe(CODE)
  })

  test.each([
    ['entered', {}, () => enter(CODE)],
    ['removed', WITH_CODE, async () => fireEvent.click(await removal())],
  ])('that a payment under way keeps from being %s leads to that payment', async (_, order, change) => {
    await openOrder(server, order)
    server.refuses('setPromocode', 409, 'x', { code: 'payment-under-way', paymentId: PAYMENT })
    await change()
    const notice = await screen.findByText(/end it there and then change the code/)
    expect(notice.closest('[role=alert]')).not.toBeNull()
    const link = screen.getByRole('link', { name: 'Go to that payment' })
    expect(link.getAttribute('href')).toBe(`/payment/result/${PAYMENT}`)
  })

  test('that is lost on its way is shown, and can be sent again', async () => {
    await openOrder(server)
    await enter(CODE)
    await screen.findByText(/could not reach the server/)
    server.answers('setPromocode', 200, anOrder(WITH_CODE))
    fireEvent.click(button('Apply'))
    await removal()
  })

  test('is still there after a reload, and can be removed', async () => {
    await openOrder(server, WITH_CODE)
    button(PAY_LESS)
    server.answers('setPromocode', 200, anOrder())
    fireEvent.click(await removal())
    await screen.findByRole('button', { name: PAY_ORDER })
    expect(server.callsOf('setPromocode')[0]?.body).toEqual({ promocode: null })
    await waitFor(() => expect(document.activeElement).toBe(field()))
    expect(main()).not.toContain(CODE)
  })

  test('that cannot be removed stays, and says why', async () => {
    await openOrder(server, WITH_CODE)
    server.refuses('setPromocode', 503, 'We cannot answer right now.')
    fireEvent.click(await removal())
    expect((await screen.findByText(/cannot answer right now/)).closest('[role=alert]')).not.toBeNull()
    button(PAY_LESS)
  })

  test('is offered again after a declined attempt', async () => {
    await openOrder(server, { ...WITH_CODE, status: 'Rejected' })
    await removal()
  })

  test.each([
    [{ status: 'Completed' as const }, 'This order is paid'],
    [{ expiresAt: new Date(Date.now() - 1000).toISOString() }, 'This order has expired'],
  ])('of a settled order is shown as it is', async (more, title) => {
    await openOrder(server, { ...WITH_CODE, ...more })
    await screen.findByText(title)
    expect(main()).toContain(`Promocode ${CODE}−£4.52`)
    expect(screen.queryByRole('button', { name: /promocode/ })).toBeNull()
  })

  test('is not offered on a settled order that has none', async () => {
    await openOrder(server, { status: 'Completed' })
    await screen.findByText('This order is paid')
    expect(disclosure()).toBeNull()
  })

  describe('that is used up when it comes to paying', () => {
    const refused = async () => {
      await openOrder(server, WITH_CODE)
      server.refuses('payByCard', 409, USED_UP, { code: 'promocode-used-up' })
      enterCard()
      await press(PAY_LESS)
      const notice = await screen.findByRole('alert')
      expect(notice.textContent).toContain(USED_UP)
    }
    const removeThere = () => {
      button('Remove the promocode').focus()
      fireEvent.click(button('Remove the promocode'))
    }
    const cardNumber = () => screen.getByLabelText<HTMLInputElement>('Card number').value

    test('can be removed there; the card stays', async () => {
      await refused()
      server.answers('setPromocode', 200, anOrder())
      removeThere()
      const notice = await screen.findByText('The promocode is removed')
      await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
      expect(cardNumber()).toBe('4314 2200 0000 0056')
      server.answers('payByCard', 200, { paymentId: PAYMENT })
      await press(PAY_ORDER)
      await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
      expect(server.callsOf('payByCard').at(-1)?.body).toMatchObject({ total: 45.24 })
    })

    test('is removed once, however often that is pressed, and nothing is paid meanwhile', async () => {
      await refused()
      server.hangs('setPromocode')
      removeThere()
      removeThere()
      await waitFor(() => expect(button('Remove the promocode').getAttribute('aria-busy')).toBe('true'))
      expect(server.callsOf('setPromocode')).toHaveLength(1)
      expect(button(PAY_LESS).disabled).toBe(true)
    })

    test.each([
      ['refused', () => server.refuses('setPromocode', 503, 'We cannot answer right now.'), /cannot answer/],
      ['lost', () => server.breaks('setPromocode'), /could not reach the server/],
    ])('and whose removal is %s says so; the card stays, and it can be tried again', async (_, fail, why) => {
      await refused()
      fail()
      removeThere()
      await screen.findByText('The promocode was not removed')
      screen.getByText(why)
      expect(screen.queryByText(/whether the payment started/)).toBeNull()
      expect(cardNumber()).toBe('4314 2200 0000 0056')
      server.answers('setPromocode', 200, anOrder())
      removeThere()
      await screen.findByText('The promocode is removed')
    })

    test('and that a payment under way holds leads to that payment, and not round in a circle', async () => {
      await refused()
      server.refuses('setPromocode', 409, 'x', { code: 'payment-under-way', paymentId: PAYMENT })
      removeThere()
      const notice = await screen.findByText(/end it there and then change the code/)
      await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
      const link = screen.getByRole('link', { name: 'Continue with that payment' })
      expect(link.getAttribute('href')).toBe(`/payment/result/${PAYMENT}`)
      expect(screen.queryByRole('button', { name: 'Start again' })).toBeNull()
    })

    test('is not spoken of any more once it is removed elsewhere on the page', async () => {
      await refused()
      server.answers('setPromocode', 200, anOrder())
      fireEvent.click(await removal())
      await screen.findByRole('button', { name: PAY_ORDER })
      await waitFor(() => expect(screen.queryByText(new RegExp(USED_UP))).toBeNull())
    })

    test('is not said to be removed any more once another one is entered', async () => {
      await refused()
      server.answers('setPromocode', 200, anOrder())
      removeThere()
      await screen.findByText('The promocode is removed')
      server.answers('setPromocode', 200, anOrder(WITH_CODE))
      await enter(CODE)
      await removal()
      await waitFor(() => expect(screen.queryByText('The promocode is removed')).toBeNull())
    })
  })
})

describe("a promocode on a plan's checkout", () => {
  const checked = { promocode: CODE, percentage: 10 }
  const applied = async () => {
    await openPlan(server)
    server.answers('checkPromocode', 200, checked)
    await enter(CODE)
    await removal()
  }

  test('takes its share off, and rides with the sale', async () => {
    await applied()
    expect(main()).toContain(`PlanWren£24.00Duration31 daysConnections3Promocode ${CODE}−£2.40`)
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    enterCard()
    await press('Pay £21.60')
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payPlanByCard')[0]?.body).toMatchObject({ promocode: CODE, total: 21.6 })
  })

  test('rides along to the page of the payment system too', async () => {
    server.answers('paymentMethods', 200, { ...aMethods(), card: { hosted: true } })
    await applied()
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    fireEvent.click(screen.getByLabelText(/I accept/))
    await press('Pay £21.60')
    await waitFor(() => expect(assign).toHaveBeenCalled())
    expect(server.calls.at(-1)?.body).toMatchObject({ promocode: CODE, total: 21.6 })
  })

  test('that is refused is shown at the field', async () => {
    await openPlan(server)
    refuseCode('checkPromocode')
    await enter('NOPE')
    await screen.findByText(UNKNOWN)
    expect(field().value).toBe('NOPE')
    button('Pay £24.00')
  })

  test('is found again after a declined card, and checked anew', async () => {
    await applied()
    closeShop()
    server.answers('checkPromocode', 200, { ...checked, percentage: 15 })
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByRole('button', { name: 'Pay £20.40' })
  })

  test('that is not valid any more after a reload says so, and the price is full again', async () => {
    await applied()
    closeShop()
    refuseCode('checkPromocode', USED_UP)
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByText(USED_UP)
    expect(field().value).toBe(CODE)
    button('Pay £24.00')
  })

  test.each([
    ['taken', () => server.answers('checkPromocode', 200, checked)],
    ['refused', () => refuseCode('checkPromocode', USED_UP)],
  ])('that is removed while it is checked anew stays removed, when it is %s', async (_, answer) => {
    await applied()
    closeShop()
    const goOn = server.hangs('checkPromocode')
    await openShopAs(aProfile(), server, PLAN_PATH)
    fireEvent.click(await removal())
    await screen.findByRole('button', { name: 'Pay £24.00' })
    answer()
    await act(goOn)
    expect(main()).not.toContain(USED_UP)
    expect(field().value).toBe('')
    button('Pay £24.00')
  })

  test("does not follow another customer's session", async () => {
    await applied()
    closeShop()
    await openShopAs(aProfile({ _id: 'customer-2' }), server, PLAN_PATH)
    await screen.findByRole('button', { name: 'Pay £24.00' })
    expect(disclosure()).not.toBeNull()
  })

  test('that the sale refuses can be removed; the card stays', async () => {
    await applied()
    server.refuses('payPlanByCard', 422, UNKNOWN, { errors: [{ path: 'promocode', message: UNKNOWN }] })
    enterCard()
    await press('Pay £21.60')
    expect((await screen.findByRole('alert')).textContent).toContain(UNKNOWN)
    fireEvent.click(button('Remove the promocode'))
    await screen.findByRole('button', { name: 'Pay £24.00' })
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
  })

  test('whose share has changed is checked anew, and the new total shown before anything is paid', async () => {
    await applied()
    server.refuses('payPlanByCard', 422, 'The price has changed. Please check it and try again.', {
      errors: [{ path: 'total', message: 'x' }],
    })
    server.answers('checkPromocode', 200, { ...checked, percentage: 15 })
    enterCard()
    await press('Pay £21.60')
    await screen.findByText(/The price has changed/)
    await screen.findByRole('button', { name: 'Pay £20.40' })
  })
})
