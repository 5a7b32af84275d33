import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardBrand, cardYears, fullYear, isCardExpired, maskPan, passesLuhn } from './cards.ts'

describe('a card', () => {
  test.each([
    ['in its month', 11, 2026, '2026-11-21T12:00:00Z', false],
    ['on the last day of its month', 11, 2026, '2026-11-30T23:59:59Z', false],
    ['while its last day goes on west of us', 11, 2026, '2026-12-01T11:59:59Z', false],
    ['once its month has ended everywhere', 11, 2026, '2026-12-01T12:00:00Z', true],
    ['in the month before', 10, 2026, '2026-11-21T12:00:00Z', true],
    ['at the end of a year', 12, 2026, '2027-01-01T11:00:00Z', false],
    ['after the end of a year', 12, 2026, '2027-01-02T00:00:00Z', true],
  ])('is good or not %s', (_, month, year, now, isExpired) => {
    expect(isCardExpired(month, year, new Date(now))).toBe(isExpired)
    expect(isCardExpired(month, year % 100, new Date(now))).toBe(isExpired)
  })

  test('year of two digits is of this century, one of four stays', () => {
    expect([fullYear(28), fullYear(2031), fullYear(0)]).toEqual([2028, 2031, 2000])
  })

  test('form offers this year and the next nine', () => {
    const years = cardYears(new Date('2026-11-21T00:00:00Z'))
    expect(years).toEqual([2026, 2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034, 2035])
  })

  test('number keeps its first six and last four digits, and no more', () => {
    expect(maskPan('4000000000000077')).toBe('400000******0077')
  })

  test('number of any length of the form never shows more than ten digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{16,32}$/), (pan) => {
        const masked = maskPan(pan)
        expect(masked).toMatch(/^\d{6}\*+\d{4}$/)
        expect(masked).toHaveLength(pan.length)
      }),
    )
  })

  test.each([
    ['4', 'Visa'],
    ['51', 'Mastercard'],
    ['2221', 'Mastercard'],
    ['2720', 'Mastercard'],
    ['2220', undefined],
    ['2721', undefined],
    ['6759', 'Maestro'],
    ['5018', 'Maestro'],
    ['37', 'American Express'],
    ['6011', undefined],
    ['5', undefined],
    ['', undefined],
  ])('that begins with %j is of %s', (digits, brand) => {
    expect(cardBrand(digits)).toBe(brand)
  })

  test('number with one digit mistyped, or two neighbours swapped, fails the check', () => {
    expect(passesLuhn('4000000000000077')).toBe(true)
    expect(passesLuhn('4000000000000078')).toBe(false)
    expect(passesLuhn('4000000000000707')).toBe(false)
  })
})
