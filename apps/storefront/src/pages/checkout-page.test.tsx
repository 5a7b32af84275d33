import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openOrder, PAY_ORDER, PAYMENT, payByCard, SENT_CARD } from '#testing/checkouts.tsx'
import { anOrder, aProfile } from '#testing/fixtures.ts'
import { closeShop, openShopAs } from '#testing/open-shop.tsx'
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

describe('the order', () => {
  test('is summed up with its days, connections, features and total', async () => {
    await openOrder(server)
    const main = screen.getByRole('main').textContent
    for (const part of ['45 days', 'Connections5', 'Advertisement filter', 'Family content filter', '£45.24'])
      expect(main).toContain(part)
    expect(main).not.toContain('Priority bandwidth')
  })

  test.each([
    ['was chosen', true, 'LocationOslo'],
    ['is the nearest', false, 'LocationOslo (nearest)'],
  ])('names the location that %s', async (_, isChosen, said) => {
    await openOrder(server, { location: { _id: 'its id', name: 'Oslo', isChosen } })
    expect(screen.getByRole('main').textContent).toContain(`${said}Features`)
  })

  test('says who sells, whom to ask, and that nothing renews', async () => {
    await openOrder(server)
    const main = screen.getByRole('main')
    expect(main.textContent).toContain('Sold by Example Hedgerow Limited.')
    expect(main.textContent).toContain('You pay once. Nothing renews by itself.')
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
    await openOrder(server, { status: 'Completed' })
    await screen.findByText('This order is paid')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('that has expired offers no form', async () => {
    await openOrder(server, { expiresAt: new Date(Date.now() - 1000).toISOString() })
    await screen.findByText('This order has expired')
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('says each of these once', async () => {
    await openOrder(server)
    const main = screen.getByRole('main').textContent ?? ''
    // Besides the total, the button says the sum; the line above it says what is bought.
    for (const [text, times] of [
      ['£45.24', 2],
      ['Advertisement filter', 1],
      ['include VAT', 1],
      ['5 connections', 1],
      ['Example Hedgerow Limited', 1],
    ] as const)
      expect(main.split(text).length - 1, text).toBe(times)
  })

  test('is folded on a phone, where its line says what it is and what it comes to', async () => {
    vi.stubGlobal('matchMedia', () => ({
      matches: false,
      addEventListener: vi.fn(),
      removeEventListener: vi.fn(),
    }))
    await openOrder(server)
    const fold = screen.getByText('Your order').closest('details')
    expect(fold?.open).toBe(false)
    const line = fold?.querySelector('summary')?.textContent
    expect(line).toContain('5 connections for 45 days')
    expect(line).toContain('£45.24')
  })

  test('that was declined can be paid again', async () => {
    await openOrder(server, { status: 'Rejected' })
    await screen.findByText('Your last payment did not go through')
    expect(screen.getByLabelText('Card number')).toBeTruthy()
  })

  test.each([
    [{ reason: 'The card has expired.' }, 'The card has expired. Nothing was charged. You can try again'],
    [{}, 'Nothing was charged. You can try again'],
    [
      { reason: '£12.00 arrived instead of £45.24.', isCharged: true as const },
      '£12.00 arrived instead of £45.24. What arrived is on its way back.',
    ],
  ])('that was declined says why, and what of the money: %j', async (known, words) => {
    server.answers('paymentHistory', 200, [
      {
        _id: PAYMENT,
        orderId: anOrder().orderId,
        createdAt: '2026-11-21T14:05:00Z',
        description: '45 days, 5 connections',
        total: 45.24,
        currency: { code: 'GBP', symbol: '£' },
        method: 'card',
        status: 'Decline',
        refunds: [],
        orderStatus: 'Rejected',
        ...known,
      },
    ])
    await openOrder(server, { status: 'Rejected' })
    const notice = (await screen.findByText('Your last payment did not go through')).closest('[role=status]')
    await waitFor(() => expect(notice?.textContent).toContain(words))
  })
})

describe('paying', () => {
  test('sends the card with what was shown, and opens the result as a new document', async () => {
    server.answers('payByCard', 200, { paymentId: PAYMENT })
    await openOrder(server)
    await payByCard(PAY_ORDER)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/payment/result/${PAYMENT}`))
    expect(server.callsOf('payByCard')[0]).toMatchObject({
      path: `/api/v1/orders/${anOrder().orderId}`,
      body: {
        total: 45.24,
        currency: 'GBP',
        ...SENT_CARD,
      },
    })
    expect(JSON.stringify({ ...localStorage })).not.toContain('4314')
  })

  test('what is paid already shows the order anew', async () => {
    server.refuses('payByCard', 409, 'This order is already paid.')
    await openOrder(server)
    server.answers('getOrder', 200, anOrder({ status: 'Completed' }))
    await payByCard(PAY_ORDER)
    await screen.findByText('This order is paid')
  })

  test('a changed total is shown, and the order shown anew', async () => {
    server.refuses('payByCard', 422, 'The price has changed.', {
      errors: [{ path: 'total', message: 'x' }],
    })
    await openOrder(server)
    await payByCard(PAY_ORDER)
    expect((await screen.findByRole('alert')).textContent).toContain('The price has changed.')
    expect(server.callsOf('getOrder').length).toBeGreaterThan(1)
  })

  test('a pause says until when it lasts, and keeps what was typed', async () => {
    const detail = 'Too many cards were declined for this purchase. Pay another way, or try again then.'
    const until = new Date(2031, 4, 6, 14, 5).toISOString()
    server.refuses('payByCard', 429, detail, { code: 'payments-paused', until })
    await openOrder(server)
    await payByCard(PAY_ORDER)
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain(detail)
    expect(notice.textContent).toContain('The pause ends on 06/05/2031 14:05, your time.')
    expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toMatch(/\d{4}/)
    expect(server.callsOf('payByCard')).toHaveLength(1)
  })

  test('too often shows the message of the server', async () => {
    server.refuses('payByCard', 429, 'Too many attempts.')
    await openOrder(server)
    await payByCard(PAY_ORDER)
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.')
  })
})
