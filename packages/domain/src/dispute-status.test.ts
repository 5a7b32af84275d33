import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, formatDateTime } from './dates.ts'
import {
  canTransitionDispute,
  DISPUTE_STATUSES,
  type DisputeStatus,
  groupOfReason,
  isReasonCode,
  respondBy,
  wayOfDispute,
} from './dispute-status.ts'

const status = fc.constantFrom(...DISPUTE_STATUSES)

describe('a dispute', () => {
  test('goes from open to won or lost, from won to open again, and from lost to reversed', () => {
    const moves = DISPUTE_STATUSES.flatMap((from) =>
      DISPUTE_STATUSES.filter((to) => canTransitionDispute(from, to)).map((to) => `${from} to ${to}`),
    )
    expect(moves).toEqual(['open to won', 'open to lost', 'won to open', 'lost to reversed'])
  })

  test('that is lost can only be reversed, whatever is said of it afterwards, and stays so then', () => {
    fc.assert(
      fc.property(fc.array(status), (words) => {
        let now: DisputeStatus = 'open'
        let wasLost = false
        let wasReversed = false
        for (const to of words) {
          if (canTransitionDispute(now, to)) now = to
          wasLost ||= now === 'lost'
          wasReversed ||= now === 'reversed'
          if (wasLost) expect(now).toBe(wasReversed ? 'reversed' : 'lost')
        }
      }),
    )
  })

  test('comes to whatever the gateway says by allowed steps only, or not at all', () => {
    fc.assert(
      fc.property(status, fc.constantFrom('open', 'won', 'lost'), (from, to) => {
        const way = wayOfDispute(from, to)
        if (!way) {
          expect([`${from} to ${to}`]).toEqual([
            expect.stringMatching(/^(?:lost to open|reversed to open|reversed to lost)$/),
          ])
          return
        }
        let now = from
        for (const step of way) {
          expect(canTransitionDispute(now, step)).toBe(true)
          now = step
        }
        expect(now === 'reversed' ? 'won' : now).toBe(to)
      }),
    )
  })

  test('that is lost is reversed where the gateway calls it won, and has no other way, also where its first phase was', () => {
    expect([wayOfDispute('lost', 'won'), wayOfDispute('lost', 'open')]).toEqual([['reversed'], undefined])
    expect([wayOfDispute('won', 'lost'), wayOfDispute('lost', 'lost')]).toEqual([['open', 'lost'], []])
  })

  test('is grouped by the codes of Visa and Mastercard', () => {
    const codes = ['10.4', '11.2', '12.6.1', '13.1', '4837', '4808', '4834', '4853', '14.1', '10', '9999', '']
    expect(codes.map(groupOfReason)).toEqual([
      'fraud',
      'authorisation',
      'processing',
      'consumer',
      'fraud',
      'authorisation',
      'processing',
      'consumer',
      null,
      null,
      null,
      null,
    ])
    expect(groupOfReason('constructor')).toBeNull()
    expect(['10.4', '', 'a b', 'x'.repeat(21)].map(isReasonCode)).toEqual([true, false, false, false])
  })
})

describe('the time to answer', () => {
  test('is four business days after the day of the notice', () => {
    const byNotice = (day: string) => formatDateTime(respondBy(new Date(day)))
    // A Monday, a Wednesday, a Friday, a Sunday.
    expect(byNotice('2026-11-23T12:00Z')).toBe('27/11/2026 23:59')
    expect(byNotice('2026-11-25T12:00Z')).toBe('01/12/2026 23:59')
    expect(byNotice('2026-11-27T23:59Z')).toBe('03/12/2026 23:59')
    expect(byNotice('2026-11-22T00:00Z')).toBe('26/11/2026 23:59')
  })

  test('is never less than four days and never more than seven, across changes of the clock', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (at) => {
          const days = (respondBy(at).getTime() - at.getTime()) / DAY_MS
          expect(days).toBeGreaterThan(3.9)
          expect(days).toBeLessThan(7.1)
        },
      ),
    )
  })
})
