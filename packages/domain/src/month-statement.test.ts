import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  closesBefore,
  correctionsOf,
  isBeside,
  STATEMENT_PARTS,
  type StatementSum,
  statementOf,
} from './month-statement.ts'

const RATES: Readonly<Record<string, number>> = { EUR: 1_150_000, PLN: 5_000_000 }
const rateOf = (currency: string) => RATES[currency]

const penceOf = (sums: readonly StatementSum[], part: string) =>
  statementOf(sums, rateOf).lines.find((line) => line.part === part)?.pence

const aSum = fc.record({
  part: fc.constantFrom(...STATEMENT_PARTS),
  currency: fc.constantFrom('GBP', 'EUR', 'PLN', 'USD'),
  minor: fc.integer({ min: -1e9, max: 1e9 }),
})

describe('the statement of a month', () => {
  test('takes refunds, fees, earnings and bad debts off sales, and neither VAT nor what partners were paid', () => {
    const statement = statementOf(
      [
        { part: 'sales', currency: 'GBP', minor: 100_000 },
        { part: 'credit-notes', currency: 'GBP', minor: -10_000 },
        { part: 'fees', currency: 'EUR', minor: -1_150 },
        { part: 'fees', currency: 'GBP', minor: -500 },
        { part: 'earnings', currency: 'EUR', minor: -11_500 },
        { part: 'bad-debts', currency: 'GBP', minor: -1_000 },
        { part: 'vat', currency: 'GBP', minor: 18_000 },
        { part: 'withdrawals', currency: 'EUR', minor: -23_000 },
      ],
      rateOf,
    )
    expect(statement.lines.map(({ part, pence }) => [part, pence])).toEqual([
      ['sales', 100_000],
      ['credit-notes', -10_000],
      ['fees', -1_500],
      ['earnings', -10_000],
      ['bad-debts', -1_000],
      ['vat', 18_000],
      ['withdrawals', -20_000],
    ])
    expect(statement).toMatchObject({ remainsPence: 77_500, missing: [] })
  })

  test('says which rates are missing, and guesses nothing that needs them', () => {
    const statement = statementOf(
      [
        { part: 'sales', currency: 'GBP', minor: 100 },
        { part: 'fees', currency: 'USD', minor: -3 },
        { part: 'vat', currency: 'CHF', minor: null },
        { part: 'withdrawals', currency: 'JPY', minor: 0 },
      ],
      rateOf,
    )
    expect(statement).toMatchObject({ remainsPence: null, missing: ['CHF', 'USD'] })
    expect(statement.lines.map(({ pence }) => pence)).toEqual([100, 0, null, 0, 0, null, 0])
  })

  test('adds up, whatever moved and in whatever order it is told', () => {
    fc.assert(
      fc.property(fc.array(aSum), fc.array(aSum), (one, other) => {
        const statement = statementOf([...one, ...other], rateOf)
        expect(statementOf([...other, ...one], rateOf)).toEqual(statement)
        const counted = statement.lines.filter(({ part }) => !isBeside(part)).map(({ pence }) => pence)
        expect(statement.remainsPence).toBe(
          counted.includes(null) ? null : counted.reduce<number>((all, pence) => all + (pence ?? 0), 0),
        )
        expect(statement.missing.every((currency) => currency === 'USD')).toBe(true)
        for (const { sums, pence } of statement.lines)
          expect(pence === null).toBe(sums.some(({ currency, minor }) => currency === 'USD' && minor !== 0))
      }),
    )
  })

  test('is within a penny of each currency, converted at once and not sum by sum', () => {
    const sums = Array.from({ length: 1_000 }, () => ({ part: 'fees', currency: 'EUR', minor: -1 }) as const)
    expect(penceOf(sums, 'fees')).toBe(-870)
  })
})

describe('corrections of a closed month', () => {
  test('are the sums that are others now, and none where nothing changed', () => {
    const closed = statementOf([{ part: 'sales', currency: 'GBP', minor: 100 }], rateOf)
    expect(correctionsOf(closed, closed)).toEqual([])
    const now = statementOf(
      [
        { part: 'sales', currency: 'GBP', minor: 100 },
        { part: 'fees', currency: 'GBP', minor: -3 },
      ],
      rateOf,
    )
    expect(correctionsOf(closed, now)).toEqual([
      { part: 'fees', closedPence: 0, nowPence: -3 },
      { part: 'remains', closedPence: 100, nowPence: 97 },
    ])
  })
})

test('months are closed one after another, from whichever is the first', () => {
  expect(closesBefore('2026-10', undefined)).toBeUndefined()
  expect(closesBefore('2026-10', '2026-09')).toBeUndefined()
  expect(closesBefore('2027-01', '2026-12')).toBeUndefined()
  expect(closesBefore('2026-11', '2026-09')).toBe('2026-10')
  expect(closesBefore('2026-08', '2026-09')).toBe('2026-10')
})
