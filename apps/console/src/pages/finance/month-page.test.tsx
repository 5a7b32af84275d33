import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import MonthPage from '#pages/finance/month-page.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const STATEMENT = {
  month: '2026-11',
  before: '2026-10',
  isOver: true,
  lines: [
    {
      ...{ name: 'fees', what: 'Gateway’s fees', kind: 'part', pounds: '-94.97', poundsBefore: '-66.88' },
      sums: [
        { currency: 'EUR', sum: '-47.15' },
        { currency: 'PLN', sum: '-64.67' },
      ],
    },
  ],
  missingRates: [],
  closed: null,
  corrections: [],
  changedBefore: ['2026-10'],
  closesFirst: null,
} as const

const MONTH = {
  month: '2026-11',
  canBeClosed: false,
  checks: [],
  waiting: [
    { kind: 'month-runs', what: 'the month has not ended yet', count: 1, ids: [] },
    { kind: 'no-invoice', what: 'paid orders have no invoice yet', count: 3, ids: [] },
  ],
  remarks: [],
  quarter: null,
  from: '2026-11-01',
  to: '2026-11-30',
}

test('a month says that a closed one before it has changed, and what waits with its count', async () => {
  const server = stubServer()
  server.answers('getMonthStatement', STATEMENT as never)
  server.answers('checkConsoleMonth', MONTH)
  window.history.replaceState(null, '', '/finance/month?month=2026-11')
  show(<MonthPage />, 'finance')
  const link = await screen.findByRole('link', { name: 'See what changed in October 2026' })
  expect(link.getAttribute('href')).toBe('/finance/month?month=2026-10')
  expect(screen.getByText(/of which/).textContent).toBe('of which -€47.15, -64.67 PLN')
  const waiting = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(waiting).toEqual([
    'The month has not ended yet ',
    expect.stringMatching(/^Paid orders have no invoice yet 3/),
  ])
})
