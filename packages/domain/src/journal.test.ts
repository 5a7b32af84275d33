import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanced, daysDeferred, ENDLESS_DAYS, hledgerEntry, inPoundsAlone, releaseOf } from './journal.ts'
import { addDays } from './periods.ts'

describe('deferred income', () => {
  test('is that of a year and longer, and of no end', () => {
    expect([31, 364, 365, null].map(daysDeferred)).toEqual([undefined, undefined, 365, ENDLESS_DAYS])
  })

  test('is released evenly by the day, and a credit note takes what is left first', () => {
    const credits = [
      { day: '2026-01-03', netMinor: 100 },
      { day: '2026-01-09', netMinor: 700 },
    ]
    const { released, taken } = releaseOf({ day: '2026-01-01', days: 10, netMinor: 1_000, credits })
    expect([...released.values()]).toEqual([100, 100, 88, 87, 88, 87, 88, 87])
    // Of the last one only what was not income yet was deferred.
    expect(taken).toEqual([100, 175])
  })

  test('is all released or taken, whatever goes back', () => {
    const sale = fc.record({
      netMinor: fc.nat(100_000),
      days: fc.integer({ min: 1, max: 400 }),
      parts: fc.array(fc.record({ at: fc.nat(450), netMinor: fc.nat(50_000) }), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(sale, ({ netMinor, days, parts }) => {
        const credits = parts
          .toSorted((one, other) => one.at - other.at)
          .map(({ at, netMinor }) => ({ day: addDays('2026-01-01', at), netMinor }))
        const { released, taken } = releaseOf({ day: '2026-01-01', days, netMinor, credits })
        const all = [...released.values(), ...taken]
        expect(all.reduce((sum, minor) => sum + minor, 0)).toBe(netMinor)
        expect(Math.min(0, ...all)).toBe(0)
        expect(taken).toHaveLength(credits.length)
        for (const day of released.keys()) expect(day < addDays('2026-01-01', days)).toBe(true)
      }),
    )
  })
})

test('what an exchange gained or lost is a posting, and what is nothing is none', () => {
  const postings = balanced([
    { account: 'balance', sum: { minor: 1_000, currency: 'EUR' }, poundsMinor: 850 },
    { account: 'awaited', sum: { minor: -4_300, currency: 'PLN' }, poundsMinor: -861 },
    inPoundsAlone('vat', 0),
  ])
  const entry = { day: '2026-10-05', what: 'Gateway sale', references: { paymentId: 'a1' }, postings }
  expect(hledgerEntry(entry)).toBe(
    '2026-10-05 Gateway sale  ; paymentId:a1\n' +
      '    assets:gateway:balance  10.00 EUR @@ 8.50 GBP\n' +
      '    assets:gateway:awaited  -43.00 PLN @@ 8.61 GBP\n' +
      '    income:exchange differences  0.11 GBP\n\n',
  )
})
