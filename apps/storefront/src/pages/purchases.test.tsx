import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { enterCard, openPlan, PAY_PLAN, PAYMENT, payByCard, press } from '#testing/checkouts.tsx'
import { anItem, aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, leavePage, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const SECOND = 'b'.repeat(32)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
const DAY_MS = 24 * 60 * 60_000

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
  vi.useRealTimers()
})

/** The ids that were sent so far. */
const sent = () =>
  server.callsOf('payPlanByCard').map(({ body }) => (body as { purchaseId: string }).purchaseId)

/** The tab stays, its document goes. */
const reload = async () => {
  leavePage()
  await openPlan(server)
}

const answer = (paymentId: string) => server.answers('payPlanByCard', 200, { _id: paymentId })

const buy = async () => {
  await payByCard(PAY_PLAN)
  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1))
  assign.mockReset()
}

/** The page that the browser was sent to, in a document of its own. */
const waitForPayment = async (paymentId: string, status: 'Success' | 'Decline') => {
  leavePage()
  server.answers('paymentStatus', 200, { status, metadata: '{}' })
  await openShop(`/payment/result/${paymentId}`)
  const end = status === 'Success' ? '/payment/success' : '/payment/reject'
  await waitFor(() => expect(address()).toBe(end))
}

test('an id is there when the checkout opens, and is kept over a reload', async () => {
  answer(PAYMENT)
  await openPlan(server)
  const [begun] = Object.values({ ...sessionStorage }).map((kept) => JSON.parse(String(kept)).id)
  expect(begun).toMatch(UUID)
  await reload()
  await buy()
  expect(sent()).toEqual([begun])
})

test('a press whose answer was lost is the same one after a reload, and leads to its payment', async () => {
  await openPlan(server)
  await payByCard(PAY_PLAN)
  await screen.findByText('The connection was lost')
  await reload()
  answer(PAYMENT)
  await buy()
  const [first, second] = sent()
  expect(first).toMatch(UUID)
  expect(second).toBe(first)
})

test('of the card the tab keeps the holder’s name alone, for another try', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/4314|"123"|cvv/)
  expect(JSON.stringify({ ...localStorage })).not.toContain("O'Lovelace")
  await reload()
  expect(screen.getByLabelText<HTMLInputElement>('Name on the card').value).toBe("Ada O'Lovelace-King Jr.")
  expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('')
  expect(screen.getByLabelText<HTMLInputElement>('Security code').value).toBe('')
})

test('a number that was typed in place of the name is not kept', async () => {
  answer(PAYMENT)
  await openPlan(server)
  enterCard()
  fill('Name on the card', '4314 2200 0000 0056')
  await press(PAY_PLAN)
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('4314')
})

test('once the success is told, the next purchase is another one', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  await waitForPayment(PAYMENT, 'Success')
  answer(SECOND)
  await reload()
  await buy()
  const [first, second] = sent()
  expect(second).toMatch(UUID)
  expect(second).not.toBe(first)
})

test('the success of another payment ends nothing', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  await waitForPayment(SECOND, 'Success')
  await reload()
  await payByCard(PAY_PLAN)
  await screen.findByText('You have already started to pay for this')
  const [first, second] = sent()
  expect(second).toBe(first)
})

test('after a decline the same purchase is tried anew', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  await waitForPayment(PAYMENT, 'Decline')
  answer(SECOND)
  await reload()
  await buy()
  const [first, second] = sent()
  expect(second).toBe(first)
})

test('who has come back from a payment goes on with it, or leaves it for the card that is filled in', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  await reload()
  await payByCard(PAY_PLAN)
  await screen.findByText('You have already started to pay for this')
  expect(screen.getByRole('link', { name: 'Continue with that payment' }).getAttribute('href')).toBe(
    `/payment/result/${PAYMENT}`,
  )
  expect(assign).not.toHaveBeenCalled()
  answer(SECOND)
  fireEvent.click(button('Start again'))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${SECOND}`))
  const last = server.callsOf('payPlanByCard').at(-1)?.body
  expect(last).toMatchObject({ purchaseId: sent()[0], instead: PAYMENT })
})

test('who wants to start again, but has paid meanwhile, is led to that', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  await reload()
  await payByCard(PAY_PLAN)
  fireEvent.click(await screen.findByRole('button', { name: 'Start again' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
})

test('back by the browser’s button, after the success was told, another purchase begins', async () => {
  answer(PAYMENT)
  await openPlan(server)
  await buy()
  // Another document of the same tab has told it meanwhile; this one was only put aside.
  sessionStorage.clear()
  await act(async () => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  })
  answer(SECOND)
  enterCard()
  const terms = screen.getByLabelText<HTMLInputElement>(/I accept/)
  if (!terms.checked) fireEvent.click(terms)
  await press(PAY_PLAN)
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${SECOND}`))
  const [first, second] = sent()
  expect(second).not.toBe(first)
})

test('another plan, and another account, are other purchases', async () => {
  await openPlan(server)
  await payByCard(PAY_PLAN)
  leavePage()
  const other = anItem({ _id: '00000000-0000-4000-8000-0000000000aa' })
  server.answers('listItems', 200, [other])
  await openShopAs(aProfile(), server, `/payment/checkout/${other._id}`)
  await screen.findByText('Your plan')
  await payByCard(PAY_PLAN)
  leavePage()
  await openShopAs(aProfile({ _id: 'somebody-else' }), server, `/payment/checkout/${other._id}`)
  await screen.findByText('Your plan')
  await payByCard(PAY_PLAN)
  await waitFor(() => expect(sent()).toHaveLength(3))
  expect(new Set(sent()).size).toBe(3)
})

test('a page that was left open for more than a day buys anew', async () => {
  await openPlan(server)
  await payByCard(PAY_PLAN)
  await screen.findByText('The connection was lost')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS })
  await press(PAY_PLAN)
  await waitFor(() => expect(sent()).toHaveLength(2))
  const [first, second] = sent()
  expect(second).not.toBe(first)
})

test('in a browser that stores nothing, it holds as long as the page', async () => {
  await openPlan(server)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation((key) => {
    if (key !== 'access_token') throw new DOMException('Forbidden', 'SecurityError')
    return 'a-token'
  })
  await payByCard(PAY_PLAN)
  await screen.findByText('The connection was lost')
  await press(PAY_PLAN)
  await waitFor(() => expect(sent()).toHaveLength(2))
  const [first, second] = sent()
  expect(first).toMatch(UUID)
  expect(second).toBe(first)
})
