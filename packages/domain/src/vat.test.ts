import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditOf, splitVat, vatOfSale } from './vat.ts'
import { EU_COUNTRIES, vatRateOn } from './vat-rates.ts'

test.each([
  [120, 100, 20],
  [4517, 3764, 753],
  [3000, 2500, 500],
  // A sixth of 3 is exactly a half, which goes up.
  [3, 2, 1],
  [9, 7, 2],
  [2, 2, 0],
  [1, 1, 0],
  [0, 0, 0],
])('%i holds %i net and %i of VAT', (gross, netMinor, vatMinor) => {
  expect(splitVat(gross)).toEqual({ netMinor, vatMinor })
})

const anAmount = fc.nat({ max: 100_000_000 })
const aRate = fc.constantFrom(0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 25.5, 27)

test('net and VAT are whole, add up to the price, and the VAT is less than one minor unit off', () => {
  fc.assert(
    fc.property(anAmount, aRate, (gross, rate) => {
      const { netMinor, vatMinor } = splitVat(gross, rate)
      expect(Number.isInteger(vatMinor)).toBe(true)
      expect(netMinor + vatMinor).toBe(gross)
      const tenths = Math.round(rate * 10)
      expect(Math.abs(vatMinor * (1000 + tenths) - gross * tenths) * 2).toBeLessThanOrEqual(1000 + tenths)
    }),
  )
})

test('a rate of half a per cent more is exact', () => {
  expect(splitVat(1255, 25.5)).toEqual({ netMinor: 1000, vatMinor: 255 })
  expect(splitVat(105, 5)).toEqual({ netMinor: 100, vatMinor: 5 })
})

test.each([
  ['FI', '2024-08-31', 24],
  ['FI', '2024-09-01', 25.5],
  ['RO', '2025-07-31', 19],
  ['RO', '2025-08-01', 21],
  ['DE', '2020-12-31', 16],
  ['GB', '2026-11-22', 20],
  ['US', '2026-11-22', undefined],
  ['toString', '2026-11-22', undefined],
])('the standard rate in %s on %s is %s', (country, day, rate) => {
  expect(vatRateOn(country, day)).toBe(rate)
})

test('every country of the EU has a rate, and the United Kingdom is none of them', () => {
  expect(EU_COUNTRIES).toHaveLength(27)
  expect(EU_COUNTRIES).not.toContain('GB')
})

test.each([
  [null, null, 'uk', 20],
  ['GB', null, 'uk', 20],
  ['GB', 'valid', 'uk', 20],
  ['DE', null, 'oss', 19],
  ['FI', 'unanswered', 'oss', 25.5],
  ['DE', 'valid', 'reverse-charge', 0],
  ['DE', 'unchecked', 'reverse-charge', 0],
  ['US', null, 'outside', 0],
  ['CH', 'valid', 'outside', 0],
] as const)(
  'a sale to %s with a number that is %s is taxed as %s at %d',
  (country, numberStanding, treatment, rate) => {
    expect(vatOfSale({ country, numberStanding }, '2026-11-22')).toMatchObject({ treatment, rate })
  },
)

test('credit notes of a payment that goes back whole add up to its invoice, in however many parts', () => {
  const cuts = fc.array(fc.nat({ max: 50_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50_000 }),
      fc.integer({ min: 1, max: 250_000 }),
      aRate,
      cuts,
      (total, charged, rate, parts) => {
        const { vatMinor } = splitVat(total, rate)
        const sum = { totalMinor: 0, netMinor: 0, vatMinor: 0 }
        let before = 0
        for (const part of [...parts, charged]) {
          const credit = creditOf({ totalMinor: total, vatMinor }, charged, before, before + part)
          expect(credit.netMinor + credit.vatMinor).toBe(credit.totalMinor)
          expect(Math.min(credit.totalMinor, credit.vatMinor)).toBeGreaterThanOrEqual(0)
          for (const key of ['totalMinor', 'netMinor', 'vatMinor'] as const) sum[key] += credit[key]
          before += part
        }
        expect(sum).toEqual({ totalMinor: total, netMinor: total - vatMinor, vatMinor })
      },
    ),
  )
})
