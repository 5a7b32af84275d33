import type { Cancellation } from '@hedgerow/contract/cancellations'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'

import { CANCELLATION_DAYS, FOR_EVER_DAYS } from '@hedgerow/domain/cancellations'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConnection, anOrder, aProfile } from '#testing/fixtures.ts'
import { closeShop, enter, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const ID = 'a'.repeat(32)
const OTHER_ID = 'b'.repeat(32)
const UNTIL = '2026-12-06T23:59:59.999Z'

const aPayment = (more: Partial<PaymentHistoryItem> = {}): PaymentHistoryItem => ({
  _id: ID,
  orderId: anOrder().orderId,
  createdAt: '2026-11-22T14:05:00Z',
  description: '30 days, 3 connections',
  total: 30,
  currency: { code: 'EUR', symbol: '€' },
  method: 'card',
  status: 'Success',
  refunds: [],
  orderStatus: 'Completed',
  cancellableUntil: UNTIL,
  ...more,
})

const aCancellation = (more: Partial<Cancellation> = {}): Cancellation => ({
  refund: 23.4,
  currency: 'EUR',
  until: UNTIL,
  isByHand: false,
  asksPassword: false,
  connections: [
    { _id: 'one', name: 'hedgerow-1', endsAt: '2026-11-22T15:00:00Z', endsAtOnce: true },
    { _id: 'two', name: 'hedgerow-2', endsAt: '2026-11-22T15:00:00Z', endsAtOnce: true },
  ],
  ...more,
})

const DONE = { cancelledAt: '2026-11-22T15:00:00Z' }
const PRESS = 'Cancel and get €23.40 back'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('listOrders', 200, [])
  server.answers('paymentHistory', 200, [aPayment()])
  server.answers('previewCancellation', 200, aCancellation())
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const dialog = () => within(screen.getByRole('dialog', { name: 'Cancel or withdraw' }))
const text = () => screen.getByRole('dialog').textContent
const sent = () => server.callsOf('cancelPayment').map(({ path, body }) => ({ path, body }))

/** From the payment's row. */
const ask = async () => {
  await openShopAs(aProfile(), server, '/profile?tab=history')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel or withdraw' }))
}
const press = async (name = PRESS) => {
  const button = await dialog().findByRole<HTMLButtonElement>('button', { name })
  await waitFor(() => expect(button.disabled).toBe(false))
  fireEvent.click(button)
}
const typePassword = (value: string) => {
  const field = dialog().getByLabelText('Password')
  enter(field, value)
  fireEvent.blur(field)
}

describe('cancelling a payment', () => {
  test('says what comes back, which way, until when, what ends, and who is told, before it is confirmed', async () => {
    const { name, email } = aProfile()
    await ask()
    await dialog().findByText('You get back')
    for (const words of [
      '30 days, 3 connections',
      '22/11/2026 23:05, €30.00',
      '€23.40',
      'the time used so far, to the second',
      'to the card you paid with. Your bank can take up to ten working days',
      'Ends at oncehedgerow-1, hedgerow-2',
      `You can cancel until ${formatLocalTime(new Date(UNTIL))}`,
      'This withdraws you from the contract.',
      `We will confirm it by email to ${name}, ${email}.`,
    ])
      expect(text()).toContain(words)
    expect(dialog().queryByLabelText('Password')).toBeNull()
    expect(server.callsOf('previewCancellation')[0]?.path).toBe(`/api/v1/payment/${ID}/cancellation`)
    expect(sent()).toEqual([])
  })

  test.each([
    [{ currency: 'PLN', refund: 120.5 }, 'Cancel and get 120.50 PLN back', 'It goes back in złoty, by Blik'],
    [{ isByHand: true }, PRESS, 'we send it ourselves to the account you paid from, within 14 days'],
  ] satisfies [Partial<Cancellation>, string, string][])(
    '%j comes back as: %s',
    async (more, name, words) => {
      server.answers('previewCancellation', 200, aCancellation(more))
      await ask()
      await dialog().findByRole('button', { name })
      expect(text()).toContain(words)
    },
  )

  test('says until when a connection goes on for which other purchases paid', async () => {
    const connections = [
      { _id: 'one', name: 'hedgerow-1', endsAt: '2026-12-01T14:05:00Z', endsAtOnce: false },
    ]
    server.answers('previewCancellation', 200, aCancellation({ connections }))
    await ask()
    await dialog().findByText('01/12/2026 23:05')
    expect(text()).toContain('hedgerow-1, until 01/12/2026 23:05')
    expect(text()).toContain('because another purchase pays for it')
    expect(text()).not.toContain('Ends at once')
  })

  test('does it once for the sum that was shown, says what comes next, and loads both lists anew', async () => {
    await ask()
    server.answers('cancelPayment', 200, aCancellation(DONE))
    server.answers('paymentHistory', 200, [aPayment({ ...DONE, cancellableUntil: undefined })])
    await press()
    const notice = await dialog().findByText('Cancelled on 23/11/2026 00:00')
    await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
    expect(sent()).toEqual([{ path: `/api/v1/payment/${ID}/cancellation`, body: { refund: 23.4 } }])
    for (const words of ['sent you an email', 'You get €23.40 back', 'Ended', 'hedgerow-1'])
      expect(text()).toContain(words)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel or withdraw' })).toBeNull())
    expect(server.callsOf('getProfile').length).toBeGreaterThan(1)
    // Still there, though its button has gone.
    expect(text()).toContain('You get €23.40 back')
    fireEvent.click(dialog().getByRole('button', { name: 'Close' }))
    await screen.findByText('Cancelled on 23/11/2026')
    expect(screen.queryByText('You get back')).toBeNull()
  })

  test('does nothing where it is thought better of', async () => {
    await ask()
    await dialog().findByText('You get back')
    fireEvent.click(dialog().getByRole('button', { name: 'Keep it' }))
    expect(sent()).toEqual([])
    expect(screen.queryByText('You get back')).toBeNull()
  })

  test('asks for the sum anew each time', async () => {
    await ask()
    await dialog().findByText('You get back')
    fireEvent.click(dialog().getByRole('button', { name: 'Keep it' }))
    server.answers('previewCancellation', 200, aCancellation({ refund: 23.39 }))
    // Nobody presses in the same moment.
    await new Promise((over) => setTimeout(over, 10))
    fireEvent.click(screen.getByRole('button', { name: 'Cancel or withdraw' }))
    await dialog().findByRole('button', { name: 'Cancel and get €23.39 back' })
  })

  test('asks for the password where the log-in is not recent; a wrong one is said at the field and kept', async () => {
    server.answers('previewCancellation', 200, aCancellation({ asksPassword: true }))
    await ask()
    const button = await dialog().findByRole<HTMLButtonElement>('button', { name: PRESS })
    expect(button.disabled).toBe(true)
    typePassword('not this one')
    server.refuses('cancelPayment', 422, 'Check the fields', {
      errors: [{ path: 'password', message: 'The password is wrong' }],
    })
    await press()
    await dialog().findByText('The password is wrong')
    const field = dialog().getByLabelText<HTMLInputElement>('Password')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.value).toBe('not this one')
    server.answers('cancelPayment', 200, aCancellation(DONE))
    typePassword('hedge sparrow 7')
    await press()
    await dialog().findByText(/^Cancelled on/)
    expect(sent().map(({ body }) => body)).toEqual([
      { refund: 23.4, password: 'not this one' },
      { refund: 23.4, password: 'hedge sparrow 7' },
    ])
  })

  test('asks for the password once the log-in has grown old under the open dialog', async () => {
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    server.refuses('cancelPayment', 422, 'Check the fields', {
      errors: [{ path: 'password', message: 'Enter your password' }],
    })
    server.answers('previewCancellation', 200, aCancellation({ asksPassword: true }))
    await press()
    await dialog().findByLabelText('Password')
    await dialog().findByText('Enter your password')
  })

  test('shows the sum that has changed, and asks again', async () => {
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    server.refuses('cancelPayment', 409, 'The sum has changed.')
    server.answers('previewCancellation', 200, aCancellation({ refund: 22.9 }))
    await press()
    await dialog().findByText('The refund is now €22.90')
    expect(text()).toContain('Nothing has been cancelled yet')
    server.answers('cancelPayment', 200, aCancellation({ ...DONE, refund: 22.9 }))
    await press('Cancel and get €22.90 back')
    await dialog().findByText(/^Cancelled on/)
    expect(sent()[1]?.body).toEqual({ refund: 22.9 })
  })

  test('says in the server’s words why else it was not cancelled', async () => {
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    server.refuses('cancelPayment', 429, 'Please wait ten minutes and try again.')
    server.answers('previewCancellation', 200, aCancellation({ refund: 23.39 }))
    await press()
    await dialog().findByText('It was not cancelled')
    expect(text()).toContain('Please wait ten minutes and try again.')
  })

  test('says that nobody knows when the network breaks, and the press after it finds it done', async () => {
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    server.breaks('cancelPayment')
    await press()
    await dialog().findByText('We could not confirm the cancellation')
    expect(text()).toContain('We could not reach the server.')
    expect(text()).toContain('cancelled and refunded only once')
    server.answers('cancelPayment', 200, aCancellation(DONE))
    await press()
    await dialog().findByText('Cancelled on 23/11/2026 00:00')
  })

  test('shows one that was cancelled meanwhile in another tab as cancelled', async () => {
    server.answers('previewCancellation', 200, aCancellation(DONE))
    await ask()
    await dialog().findByText('Cancelled on 23/11/2026 00:00')
    await waitFor(() => expect(server.callsOf('paymentHistory').length).toBeGreaterThan(1))
  })

  test('says why it cannot be, where it cannot', async () => {
    server.refuses('previewCancellation', 409, 'It could be cancelled until 06/11/2026 08:59.')
    server.answers('paymentHistory', 200, [aPayment({ cancellableUntil: undefined })])
    await openShopAs(aProfile(), server, '/profile?tab=history')
    fireEvent.click(await screen.findByRole('button', { name: 'Look up an older purchase' }))
    await dialog().findByText('It could be cancelled until 06/11/2026 08:59.')
    expect(text()).toContain('This purchase cannot be cancelled')
    expect(text()).toContain('30 days, 3 connections')
    expect(dialog().queryByRole('button', { name: /^Cancel/ })).toBeNull()
    dialog().getByRole('button', { name: 'Close' })
  })

  test('says why when it became too late under the open dialog', async () => {
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    for (const call of ['cancelPayment', 'previewCancellation'] as const)
      server.refuses(call, 409, 'It could be cancelled until 23/11/2026 08:59.')
    await press()
    await dialog().findByText('This purchase cannot be cancelled')
    expect(text()).toContain('It could be cancelled until 23/11/2026 08:59.')
  })

  test('says so where nothing comes back', async () => {
    server.answers('previewCancellation', 200, aCancellation({ refund: 0, connections: [] }))
    await ask()
    await dialog().findByRole('button', { name: 'Cancel without a refund' })
    expect(text()).toContain('there is nothing to refund. Everything you paid for has been used')
    server.answers('cancelPayment', 200, aCancellation({ ...DONE, refund: 0, connections: [] }))
    await press('Cancel without a refund')
    await dialog().findByText(/^Cancelled on/)
    expect(text()).not.toContain('You get')
  })

  test('that did not load can be loaded again', async () => {
    server.refuses('previewCancellation', 404, 'There is no such payment.')
    await ask()
    await dialog().findByText('There is no such payment.')
    server.answers('previewCancellation', 200, aCancellation())
    fireEvent.click(dialog().getByRole('button', { name: 'Try again' }))
    await dialog().findByRole('button', { name: PRESS })
  })
})

describe('cancelling from a connection', () => {
  const open = (...paymentIds: string[]) => {
    const cancellable = paymentIds.map((paymentId) => ({ paymentId, until: UNTIL }))
    return openShopAs(aProfile({ connections: [aConnection({ cancellable })] }), server, '/profile')
  }
  const ask = async () => {
    fireEvent.click(await screen.findByText('Manage'))
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel or withdraw' }))
  }

  test('is about the payment that bought it', async () => {
    await open(ID)
    await screen.findByText('Manage')
    expect(screen.queryByRole('button', { name: 'Cancel or withdraw' })).toBeNull()
    await ask()
    await dialog().findByRole('button', { name: PRESS })
    await waitFor(() => expect(text()).toContain('30 days, 3 connections'))
  })

  test('asks which one, where several payments bought it', async () => {
    const extension = {
      _id: OTHER_ID,
      description: '10 days, renewal',
      total: 10,
      createdAt: '2026-11-21T09:00:00Z',
    }
    server.answers('paymentHistory', 200, [
      aPayment(),
      aPayment(extension),
      aPayment({ _id: 'c'.repeat(32), description: 'Another' }),
    ])
    await open(ID, OTHER_ID)
    await ask()
    await dialog().findByRole('button', { name: '30 days, 3 connections 22/11/2026 23:05, €30.00' })
    expect(dialog().getAllByRole('listitem')).toHaveLength(2)
    fireEvent.click(dialog().getByRole('button', { name: '10 days, renewal 21/11/2026 18:00, €10.00' }))
    await dialog().findByRole('button', { name: PRESS })
    const asked = new Set(server.callsOf('previewCancellation').map(({ path }) => path))
    expect([...asked]).toEqual([`/api/v1/payment/${OTHER_ID}/cancellation`])
  })

  test('says why the purchases to choose from are not there', async () => {
    server.refuses('paymentHistory', 404, 'There is nothing here.')
    await open(ID, OTHER_ID)
    await ask()
    await dialog().findByText('Your purchases did not load')
    server.answers('paymentHistory', 200, [aPayment(), aPayment({ _id: OTHER_ID })])
    fireEvent.click(dialog().getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(dialog().getAllByRole('listitem')).toHaveLength(2))
  })

  test('is not offered where nothing can be cancelled any more', async () => {
    await open()
    fireEvent.click(await screen.findByText('Manage'))
    await screen.findByRole('button', { name: 'Make new keys' })
    expect(screen.queryByRole('button', { name: 'Cancel or withdraw' })).toBeNull()
  })
})

describe('the terms', () => {
  test('say where one cancels, by which rule, and name the form', async () => {
    await openShop('/terms')
    const main = screen.getByRole('main')
    expect(main.textContent).toContain(`You can cancel within ${CANCELLATION_DAYS} days`)
    expect(main.textContent).toContain(`count it as ${['', '', '', 'three'][FOR_EVER_DAYS / 365]} years`)
    expect(main.textContent).toContain(`1 part in ${FOR_EVER_DAYS.toLocaleString('en-GB')}`)
    const hrefs = within(main)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
    expect(hrefs).toEqual(
      expect.arrayContaining(['/cancel', '/profile?tab=history', '/legal/cancellation_form.pdf']),
    )
  })
})
