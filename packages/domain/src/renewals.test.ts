import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, daysAfter } from './dates.ts'
import { FEATURES, type Features, fromMask, NO_FEATURES } from './pricing.ts'
import {
  type Bought,
  connectionsFor,
  describeRenewal,
  endAfterRefund,
  endOf,
  isRenewable,
  keptOptions,
  listNames,
  missingOptionsOf,
  renewedEnd,
} from './renewals.ts'

const START = new Date('2026-11-21T14:05:00Z')
const day = (days: number) => daysAfter(START, days)

test.each([
  ['with an end', { expiresAt: START, isRevoked: false }, true],
  ['that never ends', { expiresAt: null, isRevoked: false }, false],
  ['that was revoked', { expiresAt: START, isRevoked: true }, false],
])('a connection %s can be extended: %3$s', (_, connection, expected) => {
  expect(isRenewable(connection)).toBe(expected)
})

describe('the new end', () => {
  test('counts from the old one', () => expect(renewedEnd(day(10), day(4), 30)).toEqual(day(40)))
  test('counts from now, where the old one has passed', () =>
    expect(renewedEnd(day(4), day(10), 30)).toEqual(day(40)))
})

describe('a payment that is given back', () => {
  const first = { at: day(0), days: 30 }
  const second = { at: day(10), days: 7 }

  test('takes its days with it', () => expect(endAfterRefund(day(37), [first], day(12))).toEqual(day(30)))
  test('leaves what a later one bought', () =>
    expect(endAfterRefund(day(37), [second], day(12))).toEqual(day(17)))
  test('ends the connection where nothing else stands', () =>
    expect(endAfterRefund(day(30), [], day(12))).toEqual(day(12)))
  test('changes nothing of one that has ended', () =>
    expect(endAfterRefund(day(30), [], day(50))).toEqual(day(30)))
  test('changes nothing of what was bought after its days were over', () =>
    expect(endAfterRefund(day(70), [{ at: day(40), days: 30 }], day(50))).toEqual(day(70)))
})

const anyBought = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 400 }), days: fc.integer({ min: 1, max: 365 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((all): Bought[] => all.toSorted((a, b) => a.at - b.at).map(({ at, days }) => ({ at: day(at), days })))

test('no payment that stands loses a day of what it bought', () => {
  void fc.assert(
    fc.property(anyBought, (bought) => {
      const end = endOf(bought) as Date
      for (const { at, days } of bought) expect(end >= daysAfter(at, days)).toBe(true)
    }),
  )
})

/** The same by another way: what is left at each purchase, and the days on top. */
const daysLeft = (bought: readonly Bought[]): Date => {
  const { at, left } = bought.reduce(
    (so, { at, days }) => ({
      at,
      left: Math.max(0, so.left - (at.getTime() - so.at.getTime())) + days * DAY_MS,
    }),
    { at: START, left: 0 },
  )
  return new Date(at.getTime() + left)
}

test('a connection ends when all days are used that were bought', () => {
  void fc.assert(
    fc.property(anyBought, (bought) => {
      expect(endOf(bought)).toEqual(daysLeft(bought))
    }),
  )
})

test('without one payment a connection ends no later, and not before now', () => {
  void fc.assert(
    fc.property(anyBought, fc.nat(), fc.integer({ min: 0, max: 800 }), (bought, n, today) => {
      const end = endOf(bought) as Date
      const standing = bought.filter((_, i) => i !== n % bought.length)
      const after = endAfterRefund(end, standing, day(today))
      expect(after <= end).toBe(true)
      expect(after >= day(today) || +after === +end).toBe(true)
    }),
  )
})

const anyFeatures = fc.nat({ max: 15 }).map(fromMask)

describe('the options of an order that extends', () => {
  test('are enough when they include those of every connection', () => {
    void fc.assert(
      fc.property(fc.array(anyFeatures), (all) => {
        const connections = all.map((features) => ({ features }))
        expect(missingOptionsOf(keptOptions(connections), connections)).toEqual([])
      }),
    )
  })

  test.each(FEATURES.map(({ key }) => key))('are not enough without a connection’s %s', (key) => {
    const features: Features = { ...NO_FEATURES, [key]: true }
    expect(missingOptionsOf(NO_FEATURES, [{ features }])).toEqual([{ features }])
  })
})

test.each([
  [3, 2, 3],
  [3, 5, 5],
  [3, 20, 13],
])('%i connections of which %i are extended are %i', (connections, renewed, expected) => {
  expect(connectionsFor(connections, renewed)).toBe(expected)
})

test.each([
  [['Hedgerow 1'], 'Hedgerow 1'],
  [['Hedgerow 1', 'Hedgerow 2'], 'Hedgerow 1 and 2'],
  [['Hedgerow 1', 'Hedgerow 2', 'Hedgerow 14'], 'Hedgerow 1, 2 and 14'],
  [['Phone', 'Hedgerow 2'], 'Phone and Hedgerow 2'],
  [['Phone 1', 'Hedgerow 2', 'TV'], 'Phone 1, Hedgerow 2 and TV'],
  [['7', '8'], '7 and 8'],
  [[], ''],
])('%j is told as %s', (names, told) => {
  expect(listNames(names)).toBe(told)
})

test('tells how many are new', () => {
  expect(describeRenewal(['Hedgerow 1', 'Hedgerow 2'], 3)).toBe('extends Hedgerow 1 and 2, 1 new')
  expect(describeRenewal(['Hedgerow 1', 'Hedgerow 2', 'Hedgerow 3'], 3)).toBe('extends Hedgerow 1, 2 and 3')
})
