import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMinor, formatMoney, readAmount, toMajor, toMinor } from './money.ts'

test('an amount keeps its value from minor units to the wire and back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000_000_000 }), (minor) => {
      expect(toMinor(JSON.parse(JSON.stringify(toMajor(minor))))).toBe(minor)
    }),
    { numRuns: 2000 },
  )
})

test('an amount on the wire has at most two decimals', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (minor) => {
      expect(String(toMajor(minor))).toMatch(/^\d+(\.\d{1,2})?$/)
    }),
  )
})

test.each([30.151, 0.001, 1e-9, 0.1 + 0.2, -1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1.005])(
  'refuses %s',
  (major) => {
    expect(toMinor(major)).toBeUndefined()
  },
)

test('refuses any number with more than two decimals', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), fc.integer({ min: 1, max: 9 }), (minor, digit) => {
      expect(toMinor(Number(`${toMajor(minor).toFixed(2)}${digit}`))).toBeUndefined()
    }),
  )
})

test.each([
  [4517, 'GBP', '£45.17'],
  [3000, 'EUR', '€30.00'],
  [5, 'EUR', '€0.05'],
  [-120, 'GBP', '-£1.20'],
] as const)('shows %i of %s as %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency)).toBe(text)
})

test.each([
  ['300', 300_00],
  ['300.5', 300_50],
  ['300.50', 300_50],
  ['250,000', 250_000_00],
  ['250.000,50', 250_000_50],
  ['300,50', 300_50],
  ['300,5', 300_50],
  ['1,250', 1250_00],
  ['1,250.50', 1250_50],
  ['1,000,250.50', 1_000_250_50],
  ['1.250,50', 1250_50],
  ['1.000.250,5', 1_000_250_50],
  [' £ 1 250.50 ', 1250_50],
  ['€300,00', 300_00],
  ['0.10', 10],
])('reads %s as %i of the smallest unit', (typed, minor) => {
  expect(readAmount(typed)).toBe(minor)
})

test.each([
  '',
  'three hundred',
  '300.505',
  '300,5050',
  '1,25,0',
  '1.250',
  '1,250,50',
  '1234,567',
  ',50',
  '-300',
  '1e3',
])('reads no amount from %s', (typed) => {
  expect(readAmount(typed)).toBeUndefined()
})

test('an amount is read as it was shown', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999_999_999 }), (minor) => {
      expect(readAmount(formatMoney(minor, 'GBP'))).toBe(minor)
    }),
  )
})

test.each([
  [-5, '-0.05'],
  [0, '0.00'],
])('writes %i as %s', (minor, text) => expect(formatMinor(minor)).toBe(text))
