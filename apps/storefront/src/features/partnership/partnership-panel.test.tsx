import type { Partnership } from '@hedgerow/contract/partnership'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PartnershipPanel } from '#features/partnership/partnership-panel.tsx'
import { stubServer } from '#testing/server.ts'
import { anEntry, aPartnership, aWithdrawal } from '#testing/things.ts'
import { ToastProvider } from '#ui/toast.tsx'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('listWithdrawals', 200, [])
  server.answers('getStatement', 200, { entries: [], hasMore: false })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToastProvider>
        <PartnershipPanel />
      </ToastProvider>
    </QueryClientProvider>,
  )
const openWith = async (more: Partial<Partnership> = {}) => {
  server.answers('getPartnership', 200, aPartnership(more))
  open()
  await screen.findByText('Level of participation')
}
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent

describe('the Partnership tab', () => {
  test.each([
    ['Level of participation', '2'],
    ['Used promotional codes', '3'],
    ['Crossings by link', '17'],
    ['Amount on the partner account', '€12.50£0.00 and £4.51 pending'],
    ['Percentage per transaction', '15%'],
    ['Minimum withdrawal amount', '€250 or £250'],
    ['Promocode', 'HEDGE23456Copy'],
    ['Referral link', 'https://shop.example/?ref=HEDGE23456Copy'],
  ])('shows %s: %s', async (name, value) => {
    await openWith()
    expect(fact(name)).toBe(value)
  })

  test('shows the link as a QR code too', async () => {
    await openWith()
    screen.getByRole('img', { name: 'QR code of your referral link' })
  })

  test('says how far it is to the next level', async () => {
    await openWith()
    const line = screen.getByRole<HTMLProgressElement>('progressbar', {
      name: '1 more transaction to level 3, with 20% of each.',
    })
    expect([line.value, line.max]).toEqual([4, 5])
  })

  test('says so on the highest level', async () => {
    await openWith({ level: 5, transactions: 40, nextLevel: undefined })
    screen.getByText(/highest level/)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test.each([
    ['Copy the promocode', 'HEDGE23456', 'Copied the promocode'],
    ['Copy the referral link', 'https://shop.example/?ref=HEDGE23456', 'Copied the referral link'],
  ])('%s puts it on the clipboard and says so', async (name, text, said) => {
    const writeText = vi.fn(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    await openWith()
    fireEvent.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(said))
    expect(writeText).toHaveBeenCalledWith(text)
  })

  test('copies also where there is no clipboard, as without TLS', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', {})
    document.execCommand = () => {
      const event = new Event('copy', { cancelable: true })
      const clipboardData = { setData: (type: string, text: string) => copied.push(`${type} ${text}`) }
      return !document.dispatchEvent(Object.assign(event, { clipboardData }))
    }
    onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'))
    await openWith()
    fireEvent.click(screen.getByRole('button', { name: 'Copy the promocode' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Copied the promocode'))
    expect(copied).toEqual(['text/plain HEDGE23456'])
  })

  test('says what to do when the browser does not let it copy', async () => {
    vi.stubGlobal('navigator', {})
    await openWith()
    fireEvent.click(screen.getByRole('button', { name: 'Copy the promocode' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Select the text'))
  })

  test('shows that it is loading', () => {
    server.hangs('getPartnership')
    open()
    screen.getByText('Loading your partnership')
  })

  test('says that it did not load, and tries again', async () => {
    server.refuses('getPartnership', 503, 'We cannot answer right now.')
    open()
    expect((await screen.findByRole('alert')).textContent).toContain('We cannot answer right now.')
    server.answers('getPartnership', 200, aPartnership())
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Level of participation')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

const cells = (name: string) =>
  screen
    .getAllByRole('row')
    .filter((row) => row.closest('table') === screen.getByRole('table', { name }))
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.lastElementChild?.textContent))

const RICH = [
  { currency: 'EUR' as const, available: 12.5, pending: 0, requested: 0, paid: 0 },
  { currency: 'GBP' as const, available: 312.4, pending: 4.35, requested: 0, paid: 250 },
]

describe('the partner account', () => {
  test('shows what is available, pending, asked for and paid, in each currency', async () => {
    await openWith({ balances: RICH })
    const table = screen.getByRole('table', { name: 'Partner account' })
    expect([...table.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
      'AvailableYou can ask for it€12.50£312.40',
      'PendingHeld for 14 days€0.00£4.35',
      'Asked forNot paid yet€0.00£0.00',
      'PaidSo far€0.00£250.00',
    ])
  })

  test.each([
    [12.5, 4.51, '£245.49 is missing.'],
    [240.1, 0, '€9.90 is missing.'],
  ])('says how much is missing to a withdrawal', async (eur, gbp, missing) => {
    await openWith({
      balances: [
        { currency: 'EUR', available: eur === 12.5 ? 0 : eur, pending: 0, requested: 0, paid: 0 },
        { currency: 'GBP', available: gbp, pending: 300, requested: 0, paid: 0 },
      ],
    })
    screen.getByText(`You can ask for a withdrawal from €250 or £250 available. ${missing}`)
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  })

  test('shows that the withdrawals are loading, says that they did not load, and tries again', async () => {
    const goOn = server.hangs('listWithdrawals')
    await openWith()
    screen.getByText('Loading your withdrawals')
    server.refuses('listWithdrawals', 503, 'We cannot answer right now.')
    void goOn()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Your withdrawals did not load')
    server.answers('listWithdrawals', 200, [aWithdrawal()])
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    await screen.findByRole('table', { name: 'Withdrawals' })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('lists what was asked for, and what came of it', async () => {
    server.answers('listWithdrawals', 200, [
      aWithdrawal({ _id: '3' }),
      aWithdrawal({
        _id: '2',
        status: 'paid',
        reference: 'HEDGE 12',
        endedAt: '2026-11-20T10:00:00.000Z',
        method: 'iban',
      }),
      aWithdrawal({
        _id: '1',
        status: 'refused',
        reason: 'No such account',
        endedAt: '2026-11-19T10:00:00.000Z',
      }),
    ])
    await openWith()
    await screen.findByRole('table', { name: 'Withdrawals' })
    expect(cells('Withdrawals')).toEqual([
      ['21/11/2026 14:05', 'Account …6819', 'Asked for', '£312.40'],
      ['21/11/2026 14:05', 'IBAN …6819', 'PaidReference HEDGE 1220/11/2026', '£312.40'],
      ['21/11/2026 14:05', 'Account …6819', 'RefusedNo such account19/11/2026', '£312.40'],
    ])
  })
})

describe('asking for a withdrawal', () => {
  const type = (label: string | RegExp, value: string) => {
    const control = screen.getByLabelText(label)
    fireEvent.focus(control)
    fireEvent.change(control, { target: { value } })
    fireEvent.blur(control)
  }
  const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Ask for the withdrawal' })
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
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Withdraw' }))
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Withdraw' }))
  })

  test('sends the request once, says what was asked for, and shows the account anew', async () => {
    await openForm()
    await fillIn()
    server.answers('withdraw', 201, aWithdrawal())
    fireEvent.click(send())
    fireEvent.click(send())
    await screen.findByText('You have asked for £312.40')
    screen.getByText(/the account that ends in 6819/)
    expect(server.callsOf('withdraw')).toHaveLength(1)
    expect(server.callsOf('withdraw')[0]?.body).toEqual({
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
    server.refuses('withdraw', 503, 'We cannot answer right now.')
    fireEvent.click(send())
    await screen.findByText('We cannot answer right now.')
    type('Amount in pounds', '300')
    server.answers('withdraw', 201, aWithdrawal({ amount: 300 }))
    fireEvent.click(send())
    await screen.findByText('You have asked for £300.00')
    const [first, second, third] = server.callsOf('withdraw').map(({ body }) => (body as { id: string }).id)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test.each([
    ['249.99', 'A withdrawal starts at £250.00'],
    ['three hundred', 'Enter an amount from £250.00 upwards, like 300.50'],
    ['300,505', 'You can withdraw £312.40 at most'],
    ['312.41', 'You can withdraw £312.40 at most'],
  ])('tells an amount that cannot be: %s', async (amount, message) => {
    await openForm()
    type('Amount in pounds', amount)
    const told = await screen.findByText(message)
    expect(screen.getByLabelText('Amount in pounds').getAttribute('aria-describedby')).toContain(
      told.closest('p')?.id,
    )
    expect(send().disabled).toBe(true)
  })

  test.each([['300,50'], ['£300.50'], ['300.5']])(
    'takes an amount as people write it: %s',
    async (amount) => {
      await openForm()
      await fillIn()
      type('Amount in pounds', amount)
      server.answers('withdraw', 201, aWithdrawal({ amount: 300.5 }))
      fireEvent.click(send())
      await screen.findByText('You have asked for £300.50')
      expect(server.callsOf('withdraw')[0]?.body).toMatchObject({ amount: 300.5 })
    },
  )

  test('says what was asked for last, once', async () => {
    const ask = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
      await screen.findByLabelText('Account holder')
      expect(screen.queryByText(/You have asked for/)).toBeNull()
      await fillIn()
      fireEvent.click(send())
      const told = await screen.findByText('You have asked for £312.40')
      expect(document.activeElement).toBe(told.closest('[tabindex]'))
    }
    await openWith({ balances: RICH })
    server.answers('withdraw', 201, aWithdrawal())
    await ask()
    await ask()
  })

  test.each([
    ['Sort code', '12345', 'A sort code has 6 digits'],
    ['Account number', '1234', 'An account number has 8 digits'],
    ['Account holder', ' ', 'Enter the name of the account’s holder'],
  ])('tells what is wrong with the %s', async (label, value, message) => {
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
    server.refuses('withdraw', 422, 'x', { errors: [{ path: 'iban', message: 'This is not a valid IBAN' }] })
    fireEvent.click(send())
    await screen.findByText('This is not a valid IBAN')
    const { sortCode: _, accountNumber: __, ...rest } = SENT
    expect(server.callsOf('withdraw')[0]?.body).toMatchObject({ ...rest, iban: 'GB33BUKB20201555555555' })
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

describe('the statement', () => {
  test('explains how to begin while there is nothing', async () => {
    await openWith()
    await screen.findByRole('heading', { name: 'Nothing has been earned yet' })
  })

  test('shows the newest first, and more when they are wanted', async () => {
    server.answers('getStatement', 200, {
      entries: [anEntry({ _id: '12', amount: 1 }), anEntry({ _id: '11', amount: 2 })],
      hasMore: true,
    })
    await openWith()
    const table = within(await screen.findByRole('table', { name: 'Statement' }))
    expect(table.getAllByText(/\+£/).map((amount) => amount.textContent)).toEqual(['+£1.00', '+£2.00'])
    server.answers('getStatement', 200, { entries: [anEntry({ _id: '10', amount: 3 })], hasMore: false })
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await table.findByText('+£3.00')
    expect(table.getAllByText(/\+£/)).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  test('keeps what it shows when more does not load', async () => {
    server.answers('getStatement', 200, { entries: [anEntry()], hasMore: true })
    await openWith()
    await screen.findByRole('table', { name: 'Statement' })
    server.refuses('getStatement', 503, 'We cannot answer right now.')
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await screen.findByText('We cannot answer right now.')
    screen.getByText('+£4.51')
  })

  test('says that it did not load', async () => {
    server.refuses('getStatement', 503, 'We cannot answer right now.')
    await openWith()
    await screen.findByText('The statement did not load')
  })
})
