import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canTransitionRefund,
  maySay,
  REFUND_STATUSES,
  REFUND_VERDICTS,
  replacedBy,
  wasSaid,
} from './refund-status.ts'

/** Every pair, in other words than the code's. */
const ALLOWED = ['Pending Success', 'Pending Decline', 'Decline Success', 'Success Pending']

test.each(REFUND_STATUSES.flatMap((from) => REFUND_STATUSES.map((to) => [from, to] as const)))(
  'a refund from %s to %s',
  (from, to) => {
    expect(canTransitionRefund(from, to)).toBe(ALLOWED.includes(`${from} ${to}`))
  },
)

describe('a refund that follows refusals', () => {
  const refused = fc
    .array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 6 })
    .map((sums) => sums.map((amountMinor, at) => ({ id: String(at), amountMinor })))

  test('stands in for the one of its sum, however many there are', () => {
    const owed = [
      { id: 'a', amountMinor: 300 },
      { id: 'b', amountMinor: 500 },
    ]
    expect(replacedBy(owed, 500)).toEqual(['b'])
    expect(replacedBy(owed, 600)).toEqual(['a'])
    expect(replacedBy(owed, 800)).toEqual(['a', 'b'])
    expect(replacedBy(owed, 299)).toEqual([])
  })

  test('never settles more than it gives back, and leaves none that it could have settled as well', () => {
    fc.assert(
      fc.property(refused, fc.integer({ min: 1, max: 20_000 }), (owed, amount) => {
        const replaced = new Set(replacedBy(owed, amount))
        const settled = owed
          .filter(({ id }) => replaced.has(id))
          .reduce((sum, one) => sum + one.amountMinor, 0)
        expect(settled).toBeLessThanOrEqual(amount)
        for (const one of owed)
          if (!replaced.has(one.id)) expect(settled + one.amountMinor).toBeGreaterThan(amount)
      }),
    )
  })
})

describe('what an operator says of a refund', () => {
  const standing = fc.record({
    status: fc.constantFrom(...REFUND_STATUSES),
    isByHand: fc.boolean(),
    isStuck: fc.boolean(),
    isClosed: fc.boolean(),
  })

  test('is never of one that has gone back, nor of one that the gateway may still be at work on', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REFUND_VERDICTS), standing, (verdict, stands) => {
        const isAtWork = stands.status === 'Pending' && !stands.isByHand && !stands.isStuck
        if (isAtWork || stands.status === 'Success') expect(maySay(verdict, stands)).toBe(false)
      }),
    )
  })

  test('can be said of whatever is owed and does not move, so that nothing is owed for ever', () => {
    fc.assert(
      fc.property(standing, (stands) => {
        const isOwed = stands.status === 'Pending' || (stands.status === 'Decline' && !stands.isClosed)
        const isStill = stands.status !== 'Pending' || stands.isByHand || stands.isStuck
        if (isOwed && isStill) expect(REFUND_VERDICTS.some((verdict) => maySay(verdict, stands))).toBe(true)
      }),
    )
  })

  test('is known by what it has led to', () => {
    const sent = { status: 'Success', isByHand: true, isStuck: false, isClosed: false } as const
    const failed = { ...sent, status: 'Decline', isByHand: false } as const
    const dropped = { ...failed, isClosed: true }
    const verdictsSaid = (stands: Parameters<typeof wasSaid>[1]) =>
      REFUND_VERDICTS.filter((verdict) => wasSaid(verdict, stands))
    expect(verdictsSaid(sent)).toEqual(['sent'])
    expect(verdictsSaid(failed)).toEqual(['failed'])
    expect(verdictsSaid(dropped)).toEqual(['failed', 'dropped'])
    expect(verdictsSaid({ ...sent, status: 'Pending' })).toEqual([])
  })
})
