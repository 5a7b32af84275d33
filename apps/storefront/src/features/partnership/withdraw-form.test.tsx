import type { Partnership } from '@hedgerow/contract/partnership'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aWithdrawal } from '#testing/fixtures.ts'
import { openPartnershipWith, RICH, stubPartnership } from '#testing/open-partnership.tsx'
import { enter } from '#testing/open-shop.tsx'

let server: ReturnType<typeof stubPartnership>
beforeEach(() => {
  server = stubPartnership()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const openWith = (more: Partial<Partnership> = {}) => openPartnershipWith(server, more)

describe('asking for a withdrawal', () => {
  const type = (label: string | RegExp, value: string) => {
    const control = screen.getByLabelText(label)
    fireEvent.focus(control)
    enter(control, value)
    fireEvent.blur(control)
  }
  const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Request the withdrawal' })
  const openForm = async (balances = RICH) => {
    await openWith({ balances })
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
    await screen.findByLabelText('Account holder')
  }
  const fillIn = async () => {
    type('Account holder', 'Ada Lovelace')
    type('Sort code', '20-00-00')
    type('Account number', '55776819')
    await waitFor(() => expect(send().disabled).toBe(false))
  }
  const SENT = {
    currency: 'GBP',
    amount: 312.4,
    accountHolder: 'Ada Lovelace',
    sortCode: '200000',
    accountNumber: '55776819',
  }

  test('starts with all that is available, where there is enough', async () => {
    await openForm()
    expect(screen.getByLabelText<HTMLInputElement>('Amount in pounds').value).toBe('312.40')
    expect(screen.queryByRole('radio', { name: 'Euros' })).toBeNull()
  })

  test('takes the focus when it opens, and gives it back when it is left', async () => {
    await openForm()
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Withdraw' })),
    )
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Withdraw' })))
  })

  test('sends the request once, says what was requested, and shows the account anew', async () => {
    await openForm()
    await fillIn()
    server.answers('requestWithdrawal', 201, aWithdrawal())
    fireEvent.click(send())
    fireEvent.click(send())
    await screen.findByText('You have requested £312.40')
    screen.getByText(/the account ending in 6819/)
    expect(server.callsOf('requestWithdrawal')).toHaveLength(1)
    expect(server.callsOf('requestWithdrawal')[0]?.body).toEqual({
      ...SENT,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    await waitFor(() => expect(server.callsOf('getPartnership').length).toBeGreaterThan(1))
    expect(screen.queryByLabelText('Account holder')).toBeNull()
  })

  test('sends the same id again after an answer that was lost, and another one for another amount', async () => {
    await openForm()
    await fillIn()
    fireEvent.click(send())
    await screen.findByText(/could not reach the server/)
    server.refuses('requestWithdrawal', 503, 'We cannot answer right now.')
    fireEvent.click(send())
    await screen.findByText('We cannot answer right now.')
    type('Amount in pounds', '300')
    server.answers('requestWithdrawal', 201, aWithdrawal({ amount: 300 }))
    fireEvent.click(send())
    await screen.findByText('You have requested £300.00')
    const [first, second, third] = server
      .callsOf('requestWithdrawal')
      .map(({ body }) => (body as { id: string }).id)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test.each([
    ['249.99', 'The minimum withdrawal is £250.00'],
    ['three hundred', 'Enter £250.00 or more, like 300.50'],
    ['300,505', 'You can withdraw £312.40 at most'],
    ['312.41', 'You can withdraw £312.40 at most'],
  ])('refuses an amount that cannot be: %s', async (amount, message) => {
    await openForm()
    type('Amount in pounds', amount)
    const notice = await screen.findByText(message)
    expect(screen.getByLabelText('Amount in pounds').getAttribute('aria-describedby')).toContain(
      notice.closest('p')?.id,
    )
    expect(send().disabled).toBe(true)
  })

  test.each([['300,50'], ['£300.50'], ['300.5']])(
    'takes an amount as people write it: %s',
    async (amount) => {
      await openForm()
      await fillIn()
      type('Amount in pounds', amount)
      server.answers('requestWithdrawal', 201, aWithdrawal({ amount: 300.5 }))
      fireEvent.click(send())
      await screen.findByText('You have requested £300.50')
      expect(server.callsOf('requestWithdrawal')[0]?.body).toMatchObject({ amount: 300.5 })
    },
  )

  test('says what was requested last, once', async () => {
    const ask = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
      await screen.findByLabelText('Account holder')
      expect(screen.queryByText(/You have requested/)).toBeNull()
      await fillIn()
      fireEvent.click(send())
      const notice = await screen.findByText('You have requested £312.40')
      await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
    }
    await openWith({ balances: RICH })
    server.answers('requestWithdrawal', 201, aWithdrawal())
    await ask()
    await ask()
  })

  test.each([
    ['Sort code', '12345', 'A sort code has 6 digits'],
    ['Account number', '1234', 'An account number has 8 digits'],
    ['Account holder', ' ', 'Enter the account holder’s name'],
  ])('shows what is wrong with the %s', async (label, value, message) => {
    await openForm()
    type(label, value)
    await screen.findByText(message)
  })

  test('takes an IBAN in place of a sort code, and keeps what was typed of the other', async () => {
    await openForm()
    await fillIn()
    fireEvent.click(screen.getByRole('radio', { name: 'IBAN account' }))
    await waitFor(() => expect(send().disabled).toBe(true))
    type('IBAN', 'gb33 bukb 2020 1555 5555 55')
    await waitFor(() => expect(send().disabled).toBe(false))
    server.refuses('requestWithdrawal', 422, 'x', {
      errors: [{ path: 'iban', message: 'This is not a valid IBAN' }],
    })
    fireEvent.click(send())
    await screen.findByText('This is not a valid IBAN')
    const { sortCode: _, accountNumber: __, ...rest } = SENT
    expect(server.callsOf('requestWithdrawal')[0]?.body).toMatchObject({
      ...rest,
      iban: 'GB33BUKB20201555555555',
    })
    fireEvent.click(screen.getByRole('radio', { name: 'UK account' }))
    expect(screen.getByLabelText<HTMLInputElement>('Sort code').value).toBe('20-00-00')
  })

  test('of euros wants an IBAN', async () => {
    await openForm([{ currency: 'EUR', available: 250, pending: 0, requested: 0, paid: 0 }])
    screen.getByLabelText('Amount in euros')
    screen.getByLabelText('IBAN')
    expect(screen.queryByLabelText('Sort code')).toBeNull()
  })

  test('asks which currency where there is enough of both', async () => {
    await openForm(
      RICH.map((balance) => ({ ...balance, available: balance.currency === 'EUR' ? 400 : 312.4 })),
    )
    expect(screen.getByLabelText<HTMLInputElement>('Amount in euros').value).toBe('400.00')
    fireEvent.click(screen.getByRole('radio', { name: 'Pounds' }))
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Amount in pounds').value).toBe('312.40'),
    )
  })
})
