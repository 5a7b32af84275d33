import { checkConsoleMonth } from '@hedgerow/contract/console/month'
import { expect, test } from 'vitest'
import { monthRoutes } from '#desk/month/month.routes.ts'
import { callsBy } from '#testing/calls.ts'
import { anInvoice, openBooks } from '#testing/papers.ts'

const open = async () => {
  const { db, ops } = await openBooks()
  const calls = callsBy((app) => monthRoutes(app, { db, exportDb: db, log: console as never }))
  return {
    db,
    check: (month: string) => calls.call(checkConsoleMonth, { query: { month } }),
    tool: (month: string) => ops('month', 'check', '--month', month),
  }
}

test('a month whose totals agree can be closed; then the tool says what to run next', async () => {
  const { db, check, tool } = await open()
  await anInvoice({ db }, { paidAt: '2026-09-05T12:00:00.000Z' })
  expect(await check('2026-09')).toMatchObject({
    month: '2026-09',
    canBeClosed: true,
    waiting: [],
    quarter: { name: '2026-Q3', from: '2026-07-01', to: '2026-09-30' },
    from: '2026-09-01',
    to: '2026-09-30',
    checks: expect.arrayContaining([
      {
        check: 'invoices-of-payments',
        agrees: true,
        left: { what: 'paid orders', sums: { GBP: '12.00' } },
        right: { what: 'invoices', sums: { GBP: '12.00' } },
        differences: [],
        moreDifferences: 0,
      },
    ]),
  })
  expect(await check('2026-10')).toMatchObject({ quarter: null })
  const { out, code } = await tool('2026-09')
  expect(code, out).toBe(0)
  expect(out).toMatch(/^AGREES +invoices-of-payments +paid orders +12\.00 GBP +invoices +12\.00 GBP$/m)
  expect(out).toContain(
    'Every total of 2026-09 agrees with every other.\nNext:\n  vat-return --from 2026-07-01',
  )
})

test('the tool names what differs, and ends with 1', async () => {
  const { db, check, tool } = await open()
  await anInvoice({ db }, { paidAt: '2026-10-05T12:00:00.000Z', netMinor: 1000, vatMinor: 201 })
  expect(await check('2026-10')).toMatchObject({ canBeClosed: false })
  const { out, code } = await tool('2026-10')
  expect(code).toBe(1)
  expect(out).toMatch(/\ninvoice-vat DIFFERS:\n {2}invoice 2026-000001: net and VAT are not the total\n/)
  expect(out).toContain('2026-10 cannot be closed: ')
  expect(out).not.toContain('Next:')
})

test('the month that runs waits for its end', async () => {
  const { tool } = await open()
  const name = new Date().toISOString().slice(0, 7)
  const { out, code } = await tool(name)
  expect(code).toBe(1)
  expect(out).toMatch(
    /\nThe month cannot be closed while these wait:\n {2}1: the month has not ended yet\. See: /,
  )
})

test.each([
  ['2026-13', 2, /A month is written like 2026-11/],
  ['2099-01', 2, /This month has not begun/],
  ['2001-05', 1, /The documents of 2001-05 need not be kept any more/],
])('%s is refused, with the reason', async (month, code, says) => {
  const { tool } = await open()
  const outcome = await tool(month)
  expect([outcome.code, outcome.err]).toEqual([code, expect.stringMatching(says)])
})
