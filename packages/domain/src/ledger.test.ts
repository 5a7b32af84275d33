import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueBackMinor, LEDGER_ACCOUNTS, LEDGER_POSTINGS } from './ledger.ts'

const earned = fc.nat(2 ** 30)
const charged = fc.integer({ min: 1, max: 2 ** 31 - 1 })

describe('what is due back of an earning', () => {
  test.each([
    [450, 3000, 0, 0],
    [450, 3000, 3000, 450],
    [450, 3000, 1000, 150],
    [1, 3000, 1500, 0],
    [1, 3000, 1501, 1],
    [0, 3000, 3000, 0],
  ])('of %i, when of %i paid %i went back, is %i', (amount, whole, part, due) => {
    expect(dueBackMinor(amount, whole, part)).toBe(due)
  })

  test('is nothing without a refund and all of it after a whole one', () => {
    fc.assert(
      fc.property(earned, charged, (amount, whole) => {
        expect(dueBackMinor(amount, whole, 0)).toBe(0)
        expect(dueBackMinor(amount, whole, whole)).toBe(amount)
      }),
    )
  })

  test('never falls as more goes back, and stays within the earning', () => {
    fc.assert(
      fc.property(earned, charged, fc.double({ min: 0, max: 1, noNaN: true }), (amount, whole, part) => {
        const refunded = Math.floor(whole * part)
        const due = dueBackMinor(amount, whole, refunded)
        expect(due).toBeGreaterThanOrEqual(0)
        expect(due).toBeLessThanOrEqual(amount)
        if (refunded < whole) expect(dueBackMinor(amount, whole, refunded + 1)).toBeGreaterThanOrEqual(due)
      }),
    )
  })
})

test('no movement leads to where it came from, and each is between accounts that exist', () => {
  for (const move of Object.values(LEDGER_POSTINGS).flat()) {
    expect(move[0]).not.toBe(move[1])
    for (const account of move) expect(LEDGER_ACCOUNTS).toContain(account)
  }
})
