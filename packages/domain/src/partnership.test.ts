import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  discounted,
  levelAfter,
  levelFor,
  MINIMUM_WITHDRAWAL,
  PARTNER_LEVELS,
  type SettledTransactions,
  shareMinor,
} from './partnership.ts'

const settled = (count: number) => count as SettledTransactions
const transactions = fc.nat(100_000).map(settled)

describe('the level', () => {
  test.each([
    [0, 1, 10],
    [1, 2, 15],
    [4, 2, 15],
    [5, 3, 20],
    [9, 3, 20],
    [10, 4, 25],
    [24, 4, 25],
    [25, 5, 30],
    [10_000, 5, 30],
  ])('of %i transactions is %i, with %i percent', (count, level, percentage) => {
    expect(levelFor(settled(count))).toMatchObject({ level, percentage })
  })

  test('never falls, nor does its share, as transactions come in', () => {
    fc.assert(
      fc.property(transactions, transactions, (one, more) => {
        const [before, after] = [levelFor(one), levelFor(settled(one + more))]
        expect(after.level).toBeGreaterThanOrEqual(before.level)
        expect(after.percentage).toBeGreaterThanOrEqual(before.percentage)
      }),
    )
  })

  test('that comes next is one higher, and is reached with exactly its transactions', () => {
    fc.assert(
      fc.property(transactions, (count) => {
        const [now, next] = [levelFor(count), levelAfter(count)]
        if (next) {
          expect(next.level).toBe(now.level + 1)
          expect(levelFor(settled(next.transactions))).toBe(next)
          expect(levelFor(settled(next.transactions - 1))).toBe(now)
        } else {
          expect(now).toBe(PARTNER_LEVELS.at(-1))
        }
      }),
    )
  })
})

test('a withdrawal starts at 250', () => {
  expect(MINIMUM_WITHDRAWAL).toBe(250)
})

describe('a share', () => {
  test.each([
    [3000, 10, 300],
    [4517, 15, 678],
    [4516, 15, 677],
    [9, 10, 1],
    [5, 10, 1],
    [4, 10, 0],
    [1, 30, 0],
  ])('of %i at %i percent is %i', (amount, percentage, share) => {
    expect(shareMinor(amount, percentage)).toBe(share)
  })

  test('and the rest are whole units, and come to the amount', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.constantFrom(...PARTNER_LEVELS), (amount, { percentage }) => {
        const share = shareMinor(amount, percentage)
        expect(Number.isInteger(share)).toBe(true)
        // Half up: at most half a unit off, and a half itself goes up.
        const exact = (amount * percentage) / 100
        expect(share - exact).toBeLessThanOrEqual(0.5)
        expect(share - exact).toBeGreaterThan(-0.5)
        expect(share).toBeLessThanOrEqual(amount)
      }),
    )
  })
})

test('a discounted total is the price less the discount, and never negative', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.constantFrom(...PARTNER_LEVELS), (price, { percentage }) => {
      const { priceMinor, discountMinor, totalMinor } = discounted(price, percentage)
      expect(priceMinor).toBe(price)
      expect(discountMinor).toBe(shareMinor(price, percentage))
      expect(totalMinor).toBe(price - discountMinor)
      expect(totalMinor).toBeGreaterThanOrEqual(0)
    }),
  )
})
