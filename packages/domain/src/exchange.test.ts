import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chargedToMajor,
  chargedToMinor,
  convertBack,
  convertMinor,
  formatCharged,
  formatMinorOf,
  formatRate,
  isFarFrom,
  parseRate,
  RATE_SCALE,
} from './exchange.ts'

describe('a sum at a rate', () => {
  test.each([
    [4517, 4_251_200, 19203],
    [1, 500_000, 1],
    [1, 499_999, 0],
    [0, 4_251_200, 0],
    [3405, 5_031_000, 17131],
  ])('%d at %d is %d, half up', (minor, rateMicro, converted) => {
    expect(convertMinor(minor, rateMicro)).toBe(converted)
  })

  test('is never further than half a minor unit from the exact product', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 1, max: 99_000_000 }),
        (minor, rate) => {
          const error = BigInt(convertMinor(minor, rate)) * BigInt(RATE_SCALE) - BigInt(minor) * BigInt(rate)
          expect(2n * (error < 0n ? -error : error) <= BigInt(RATE_SCALE)).toBe(true)
        },
      ),
    )
  })
})

describe('a rate', () => {
  test.each([
    ['4.2512', 4_251_200],
    ['4', 4_000_000],
    [' 5.03 ', 5_030_000],
    ['0.000001', 1],
  ])('%s is read as %d', (text, rateMicro) => {
    expect(parseRate(text)).toBe(rateMicro)
  })

  test.each(['', '0', '0.0', '-4', '4,25', '4.2512345', '1e3', 'NaN', '1000', '.5', '4.'])(
    '%j is none',
    (text) => {
      expect(parseRate(text)).toBeUndefined()
    },
  )

  test('comes back as it was written, with two decimals at least', () => {
    expect(formatRate(4_251_200)).toBe('4.2512')
    expect(formatRate(4_000_000)).toBe('4.00')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (rate) => {
        expect(parseRate(formatRate(rate))).toBe(rate)
      }),
    )
  })
})

test('a sum in PLN is followed by its currency, others have their symbol before them', () => {
  expect(formatCharged(19203, 'PLN')).toBe('192.03 PLN')
  expect(formatCharged(4517, 'GBP')).toBe('£45.17')
})

test.each([
  [1000, 1_250_000, 800],
  [1, 2_000_000, 1],
  [1, 2_000_001, 0],
  // Half away from nothing: what is credited is what was sold.
  [-1, 2_000_000, -1],
  [-1000, 1_250_000, -800],
  [0, 1_250_000, 0],
])('%d of a currency of which %d millionths are one are %d', (minor, rateMicro, converted) => {
  expect(convertBack(minor, rateMicro)).toBe(converted)
})

test.each([
  [4517, 'PLN', '45.17'],
  [5, 'PLN', '0.05'],
  [0, 'PLN', '0.00'],
  [-5, 'PLN', '-0.05'],
  [4800, 'JPY', '4800'],
  [1234, 'KWD', '1.234'],
  [-4, 'KWD', '-0.004'],
])('%d of %s, with its decimals, is %s, on the wire and back', (minor, currency, text) => {
  expect(formatMinorOf(minor, currency)).toBe(text)
  expect(chargedToMajor(minor, currency)).toBe(Number(text))
  expect(chargedToMinor(Number(text), currency)).toBe(minor)
})

test.each([
  [1100, false],
  [1101, true],
  [900, false],
  [899, true],
])('a rate of %d is more than a tenth from 1000: %s', (rate, isFar) => {
  expect(isFarFrom(rate, 1000)).toBe(isFar)
})
