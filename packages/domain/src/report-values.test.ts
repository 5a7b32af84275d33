import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchPayouts } from './bank-payouts.ts'
import { dayOrderOf, decimalSignOf, readReportAmount, readReportTime } from './report-values.ts'

describe('amounts of other people’s files', () => {
  test.each([
    [['1,234.56', '7'], '.'],
    [['1.234,56'], ','],
    [['12,5', '1,234'], ','],
    [['1,234', '0.50'], '.'],
    [['1,234,567'], '.'],
    [['10', '20'], '.'],
    [['0,500'], ','],
    [['1,234', '2,345'], 'ambiguous'],
    [['1.5', '1,5'], 'mixed'],
    [['-1 234,50', '(3,00)'], ','],
  ])('%j show the decimal sign %s', (amounts, sign) => {
    expect(decimalSignOf(amounts)).toBe(sign)
  })

  test.each([
    ['1,234.5', '.', 2, 123_450],
    ['1.234,50', ',', 2, 123_450],
    ['1 234,5', ',', 2, 123_450],
    ['−12.00', '.', 2, -1200],
    ['12.00-', '.', 2, -1200],
    ['(12.00)', '.', 2, -1200],
    ['+3', '.', 2, 300],
    ['-0.00', '.', 2, 0],
    ['1500', '.', 0, 1500],
    ['1,500', '.', 0, 1500],
    ['0.6800', '.', 2, 68],
    ['1.234', '.', 3, 1234],
    ['0.685', '.', 2, undefined],
    ['1,23.00', '.', 2, undefined],
    ['1.5.0', '.', 2, undefined],
    ['€5', '.', 2, 500],
    ['$5', '.', 2, undefined],
    ['1e3', '.', 2, undefined],
    ['', '.', 2, undefined],
    ['99999999999999999', '.', 2, undefined],
  ] as const)('%s is read, with the sign %s and %i decimals, as %s', (text, sign, decimals, minor) => {
    const read = readReportAmount(text, sign, decimals)
    expect(read).toBe(minor)
    expect(Object.is(read, -0)).toBe(false)
  })

  test('are read as they were written, with any sign', () => {
    const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
    fc.assert(
      fc.property(amount, fc.constantFrom('.' as const, ',' as const), fc.nat(3), (minor, sign, decimals) => {
        const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
        const whole = digits.slice(0, digits.length - decimals)
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, sign === '.' ? ',' : '.')
        const fraction = decimals > 0 ? sign + digits.slice(-decimals) : ''
        const text = `${minor < 0 ? '-' : ''}${grouped}${fraction}`
        expect(readReportAmount(text, sign, decimals)).toBe(minor)
      }),
    )
  })
})

describe('days of other people’s files', () => {
  test.each([
    [['13/11/2026', '05/11/2026'], 'dmy'],
    [['11/13/2026', '11/05/2026'], 'mdy'],
    [['5/11/2026'], 'ambiguous'],
    [['13/11/2026', '11/13/2026'], 'mixed'],
    [['5/5/2026', '2026-11-05'], 'dmy'],
  ])('%j are %s', (days, order) => {
    expect(dayOrderOf(days)).toBe(order)
  })

  test.each([
    ['2026-11-05 14:03:22', '2026-11-05T14:03:22.000Z'],
    ['2026-11-05T14:03:22.123Z', '2026-11-05T14:03:22.000Z'],
    ['2026-11-05T14:03:22+02:00', '2026-11-05T12:03:22.000Z'],
    ['2026-11-05 14:03 UTC', '2026-11-05T14:03:00.000Z'],
    ['2026-11-05', '2026-11-05T00:00:00.000Z'],
    ['05.11.2026 09:10', '2026-11-05T09:10:00.000Z'],
    ['5/11/2026', '2026-11-05T00:00:00.000Z'],
    ['5 Nov 2026', '2026-11-05T00:00:00.000Z'],
    ['05-November-2026 23:59', '2026-11-05T23:59:00.000Z'],
    ['2026-02-30', undefined],
    ['31/04/2026', undefined],
    ['05/11/26', undefined],
    ['2026-11-05 25:00', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ])('%s is %s', (text, time) => {
    expect(readReportTime(text, 'dmy')?.toISOString()).toBe(time)
  })
})

describe('payouts and a bank’s credits', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))
  const payout = (id: string, minor: number, day: number) => ({ id, minor, currency: 'EUR', at: at(day) })
  const credit = (line: number, minor: number, day: number) => ({
    ...{ line, minor, currency: 'EUR', day: at(day), description: 'GATEWAY' },
  })

  test('belong together by sum, currency and a week, each once', () => {
    const { received, missing, inTransit, others } = matchPayouts(
      [payout('a', 100, 2), payout('b', 100, 4), payout('c', 700, 5), payout('d', 900, 29)],
      [credit(2, 100, 3), credit(3, 100, 5), credit(4, 100, 6), credit(5, 700, 20), credit(6, 5, 30)],
    )
    expect(received.map((one) => [one.payout.id, one.credit.line])).toEqual([
      ['a', 2],
      ['b', 3],
    ])
    expect(missing.map(({ id }) => id)).toEqual(['c'])
    expect(inTransit.map(({ id }) => id)).toEqual(['d'])
    expect(others.map(({ line }) => line)).toEqual([4, 5, 6])
  })

  test('lose and double nothing', () => {
    const days = fc.integer({ min: 1, max: 28 })
    const sums = fc.integer({ min: 1, max: 3 })
    fc.assert(
      fc.property(fc.array(fc.tuple(sums, days)), fc.array(fc.tuple(sums, days)), (sent, came) => {
        const payouts = sent.map(([minor, day], index) => payout(String(index), minor, day))
        const credits = came.map(([minor, day], index) => credit(index, minor, day))
        const { received, missing, inTransit, others } = matchPayouts(payouts, credits)
        expect(received.length + missing.length + inTransit.length).toBe(payouts.length)
        expect(new Set(received.map((one) => one.credit.line)).size).toBe(received.length)
        expect(received.length + others.length).toBe(credits.length)
      }),
    )
  })
})
