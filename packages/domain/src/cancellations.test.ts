import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cancellableUntil, FOR_EVER_DAYS, refundFor, sumOfUse, useOf } from './cancellations.ts'
import { DAY_MS } from './dates.ts'

describe('a purchase can be cancelled until the end of the fourteenth day after that of its payment, in London', () => {
  test.each([
    ['2026-11-01T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
    ['2026-11-01T23:59:59.999Z', '2026-11-15T23:59:59.999Z'],
    ['2026-12-25T12:00:00.000Z', '2027-01-08T23:59:59.999Z'],
    // Summer time begins on 29 March and ends on 25 October.
    ['2026-03-20T12:00:00.000Z', '2026-04-03T22:59:59.999Z'],
    ['2026-10-20T23:30:00.000Z', '2026-11-04T23:59:59.999Z'],
    ['2026-07-01T23:30:00.000Z', '2026-07-16T22:59:59.999Z'],
  ])('%s: %s', (paid, until) => expect(cancellableUntil(new Date(paid)).toISOString()).toBe(until))
})

const whole = (days: number) => ({ start: 0, end: days * DAY_MS })
const at = (days: number) => new Date(days * DAY_MS)

describe('what was used', () => {
  test('is the time that has run of the window', () =>
    expect(useOf({ days: 30 }, whole(30), at(10))).toEqual({ used: 10 * DAY_MS, bought: 30 * DAY_MS }))
  test('is nothing before its turn', () =>
    expect(useOf({ days: 30 }, { start: 5 * DAY_MS, end: 35 * DAY_MS }, at(4)).used).toBe(0))
  test('is no more than ran before the connection was ended', () =>
    expect(useOf({ days: 30 }, whole(5), at(10)).used).toBe(5 * DAY_MS))
  test('counts three years for what never ends', () =>
    expect(useOf({ days: null }, { start: 0, end: Number.POSITIVE_INFINITY }, at(10))).toEqual({
      used: 10 * DAY_MS,
      bought: FOR_EVER_DAYS * DAY_MS,
    }))
})

const use = (used: number, bought = 30) => ({ used: used * DAY_MS, bought: bought * DAY_MS })

describe('the refund', () => {
  test.each([
    [3000, 0, use(0), 3000],
    [3000, 0, use(10), 2000],
    [3000, 500, use(10), 1500],
    [3000, 2900, use(10), 0],
    [3000, 0, use(30), 0],
    // What is owed is rounded half up.
    [1, 0, use(15), 0],
    [99, 0, use(10), 66],
  ])('of %i, %i of it given back before, is exact', (charged, given, of, expected) =>
    expect(refundFor(charged, given, of)).toBe(expected),
  )

  const anySum = fc.integer({ min: 1, max: 2 ** 31 - 1 })
  const anyUse = fc
    .tuple(fc.integer({ min: 1, max: 1095 * DAY_MS }), fc.nat({ max: 1_000_000 }))
    .map(([bought, part]) => ({ bought, used: Math.floor((bought * part) / 1_000_000) }))

  test('is never more than is left, never below nothing, and shrinks as more is used', () => {
    void fc.assert(
      fc.property(anySum, fc.nat(), anyUse, fc.nat(), (charged, share, of, later) => {
        const given = share % (charged + 1)
        const refund = refundFor(charged, given, of)
        expect(refund).toBeGreaterThanOrEqual(0)
        expect(refund).toBeLessThanOrEqual(charged - given)
        const used = Math.min(of.bought, of.used + later)
        expect(refundFor(charged, given, { ...of, used })).toBeLessThanOrEqual(refund)
      }),
    )
  })

  test('is half a cent off the exact share at most', () => {
    void fc.assert(
      fc.property(anySum, anyUse, (charged, { used, bought }) => {
        const off =
          BigInt(refundFor(charged, 0, { used, bought })) * BigInt(bought) -
          BigInt(charged) * BigInt(bought - used)
        expect(2n * (off < 0n ? -off : off) <= BigInt(bought)).toBe(true)
      }),
    )
  })

  test('of several connections goes by all their time', () =>
    expect(sumOfUse([use(10), use(0), use(2)])).toEqual(use(12, 90)))
})
