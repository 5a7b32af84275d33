import type { Partnership } from '@hedgerow/contract/partnership'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aWithdrawal } from '#testing/fixtures.ts'
import { openPartnershipWith, RICH, stubPartnership } from '#testing/open-partnership.tsx'

let server: ReturnType<typeof stubPartnership>
beforeEach(() => {
  server = stubPartnership()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const openWith = (more: Partial<Partnership> = {}) => openPartnershipWith(server, more)

const cells = (name: string) =>
  screen
    .getAllByRole('row')
    .filter((row) => row.closest('table') === screen.getByRole('table', { name }))
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.lastElementChild?.textContent))

describe('the partner account', () => {
  test('shows what is available, pending, requested and paid, in each currency', async () => {
    await openWith({ balances: RICH })
    const table = screen.getByRole('table', { name: 'Partner account' })
    expect([...table.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
      'AvailableYou can withdraw it€12.50£312.40',
      'PendingHeld for 14 days€0.00£4.35',
      'RequestedNot paid yet€0.00£0.00',
      'PaidSo far€0.00£250.00',
    ])
  })

  test.each([
    [12.5, 4.51, 'You need £245.49 more.'],
    [240.1, 0, 'You need €9.90 more.'],
  ])('says how much is missing to a withdrawal', async (eur, gbp, missing) => {
    await openWith({
      balances: [
        { currency: 'EUR', available: eur === 12.5 ? 0 : eur, pending: 0, requested: 0, paid: 0 },
        { currency: 'GBP', available: gbp, pending: 300, requested: 0, paid: 0 },
      ],
    })
    screen.getByText(`You can request a withdrawal once €250 or £250 is available. ${missing}`)
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

  test('lists what was requested, and what came of it', async () => {
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
      ['21/11/2026 23:05', 'Account …6819', 'Requested', '£312.40'],
      ['21/11/2026 23:05', 'IBAN …6819', 'PaidReference HEDGE 1220/11/2026', '£312.40'],
      ['21/11/2026 23:05', 'Account …6819', 'RefusedNo such account19/11/2026', '£312.40'],
    ])
  })
})
