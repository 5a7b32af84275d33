import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPlan, PAY_PLAN, PAYMENT, PLAN_PATH, payByCard, SENT_CARD } from '#testing/checkouts.tsx'
import { anItem, aProfile, LAYER } from '#testing/fixtures.ts'
import { address, button, closeShop, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

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

describe('the plan', () => {
  test('is summed up with its name, period, connections and price in pounds', async () => {
    await openPlan(server)
    const main = screen.getByRole('main').textContent
    for (const part of ['PlanWren', 'Duration31 days', 'Connections3', 'Total£24.00'])
      expect(main).toContain(part)
    expect(document.title).toMatch(/Checkout$/)
  })

  test('of any other period is shown as Ethernity, which never expires', async () => {
    await openPlan(server, { period: 'for good' })
    expect(screen.getByRole('main').textContent).toContain('DurationEthernity, never expires')
    expect(screen.queryByText(/for good/)).toBeNull()
  })

  test('that is not sold leads back to the prices', async () => {
    server.answers('listItems', 200, [anItem({ _id: '00000000-0000-4000-8000-0000000000ff' })])
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByText('We could not find this plan')
    expect(screen.getByRole('link', { name: 'See the prices' }).getAttribute('href')).toBe('/products')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('that does not load says so, and is loaded again', async () => {
    server.refuses('listItems', 429, 'Too many attempts.')
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByText('The plan did not load')
    server.answers('listItems', 200, [anItem()])
    fireEvent.click(button('Try again'))
    await screen.findByText('Your plan')
  })

  test('that is still loading is shown', async () => {
    server.hangs('listItems')
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByText('Loading the plan')
  })

  test('is for customers: a visitor logs in first and comes back', async () => {
    server.answers('listItems', 200, [anItem()])
    await openShop(PLAN_PATH)
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(PLAN_PATH)}`))
  })
})

describe('paying', () => {
  test('sends the card with the id of the plan, and opens the result as a new document', async () => {
    server.answers('payPlanByCard', 200, { _id: PAYMENT })
    await openPlan(server)
    await payByCard(PAY_PLAN)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payPlanByCard')[0]?.body).toMatchObject({
      id: anItem()._id,
      ...SENT_CARD,
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('4314')
  })

  test('what was retired meanwhile is shown', async () => {
    server.refuses('payPlanByCard', 409, 'This plan is no longer sold.')
    await openPlan(server)
    server.answers('listItems', 200, [])
    await payByCard(PAY_PLAN)
    await screen.findByText('We could not find this plan')
  })
})

describe('the location', () => {
  const OSLO = '00000000-0000-4000-8000-0000000000bb'
  const places = [
    { _id: '00000000-0000-4000-8000-0000000000aa', name: 'London', hasRoom: true },
    { _id: OSLO, name: 'Oslo', hasRoom: true },
  ]
  beforeAll(() => import('#shared/location-select.tsx'))

  test('that is chosen goes along with the sale, and stays chosen after a decline', async () => {
    server.answers('listOpenLocations', 200, places)
    server.refuses('payPlanByCard', 404)
    await openPlan(server)
    fireEvent.change(await screen.findByRole('combobox', { name: 'Location' }), { target: { value: OSLO } })
    await payByCard(PAY_PLAN)
    await waitFor(() => expect(server.callsOf('payPlanByCard')[0]?.body).toMatchObject({ location: OSLO }))
    const again = await screen.findByRole('link', { name: 'Try again' })
    expect(again.getAttribute('href')).toBe(`${PLAN_PATH}?location=${OSLO}`)
  })

  test('that has filled up is said to have, and nothing that was typed is lost', async () => {
    const message = 'Oslo is full at the moment. Please choose another location.'
    server.answers('listOpenLocations', 200, places)
    server.refuses('payPlanByCard', 422, message, { errors: [{ path: 'location', message }] })
    await openPlan(server)
    fireEvent.change(await screen.findByRole('combobox', { name: 'Location' }), { target: { value: OSLO } })
    server.answers(
      'listOpenLocations',
      200,
      places.map((place) => ({ ...place, hasRoom: place._id !== OSLO })),
    )
    await payByCard(PAY_PLAN)
    await screen.findByText(message)
    await screen.findByRole('option', { name: 'Oslo (full)' })
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).not.toBe('')
  })

  test('is not asked where there is one', async () => {
    await openPlan(server)
    await waitFor(() => expect(server.callsOf('listOpenLocations')).not.toEqual([]))
    expect(screen.queryByText('Location')).toBeNull()
  })
})
