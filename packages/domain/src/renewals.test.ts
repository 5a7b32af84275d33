import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, daysAfter } from './dates.ts'
import { FEATURES, type Features, fromMask, NO_FEATURES } from './pricing.ts'
import {
  connectionsFor,
  describeRenewal,
  endAfterChange,
  isRenewable,
  keptOptions,
  listNames,
  missingOptionsOf,
  type Purchase,
  renewedEnd,
  type Window,
  windowsOf,
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

const bought = (at: number, days: number | null, cancelled?: number): Purchase => ({
  at: day(at),
  days,
  cancelledAt: cancelled === undefined ? null : day(cancelled),
  givenBackAt: null,
})

const daysOf = (windows: readonly Window[]) =>
  windows.map(({ start, end }) => [(start - START.getTime()) / DAY_MS, (end - START.getTime()) / DAY_MS])

/** In days. */
const windowsIn = (purchases: readonly Purchase[], ended: readonly number[] = []) =>
  daysOf(windowsOf(purchases, ended.map(day)))

describe('what was bought of a connection runs', () => {
  test.each<[string, [Purchase[], number[]?], number[][]]>([
    [
      'one after the other',
      [[bought(0, 30), bought(10, 7)]],
      [
        [0, 30],
        [30, 37],
      ],
    ],
    [
      'from its delivery, where all before is used up',
      [[bought(0, 30), bought(40, 7)]],
      [
        [0, 30],
        [40, 47],
      ],
    ],
    [
      'not at all, if its money went back meanwhile',
      [[{ ...bought(0, 30), givenBackAt: day(12) }, bought(10, 7)]],
      [
        [0, 0],
        [10, 17],
      ],
    ],
    [
      'as it did, if its money went back when it was used up',
      [[{ ...bought(0, 30), givenBackAt: day(32) }, bought(10, 7)]],
      [
        [0, 30],
        [30, 37],
      ],
    ],
    ['without an end', [[bought(0, null)]], [[0, Number.POSITIVE_INFINITY]]],
    [
      'until it is cancelled, and what follows runs from then',
      [[bought(0, 30, 12), bought(10, 7)]],
      [
        [0, 12],
        [12, 19],
      ],
    ],
    [
      'not at all, if it is cancelled before its turn',
      [[bought(0, 30), bought(10, 7, 12), bought(11, 5)]],
      [
        [0, 30],
        [30, 30],
        [30, 35],
      ],
    ],
    ['until it is cancelled, also where it would never end', [[bought(0, null, 9)]], [[0, 9]]],
    [
      'until the operator ends it',
      [[bought(0, 30), bought(3, 7)], [5]],
      [
        [0, 5],
        [5, 5],
      ],
    ],
    [
      'anew, if it is bought after that',
      [[bought(0, 30), bought(8, 7)], [5]],
      [
        [0, 5],
        [8, 15],
      ],
    ],
    [
      'as before, if it had ended by then',
      [[bought(0, 3), bought(8, 7)], [5]],
      [
        [0, 3],
        [8, 15],
      ],
    ],
    [
      'to the first of two ends',
      [
        [bought(0, 30), bought(8, 7)],
        [5, 10],
      ],
      [
        [0, 5],
        [8, 10],
      ],
    ],
  ])('%s', (_, [purchases, ended], expected) => expect(windowsIn(purchases, ended)).toEqual(expected))
})

describe('once a purchase is gone, a connection ends', () => {
  const after = (end: Date | null, standing: readonly Purchase[], now: Date, ended: readonly number[] = []) =>
    endAfterChange(end, windowsOf(standing, ended.map(day)), now)

  test('without its days', () => expect(after(day(37), [bought(0, 30)], day(12))).toEqual(day(30)))
  test('with those of a later one', () => expect(after(day(37), [bought(10, 7)], day(12))).toEqual(day(17)))
  test('now, where nothing else stands', () => expect(after(day(30), [], day(12))).toEqual(day(12)))
  test('as it had ended', () => expect(after(day(30), [], day(50))).toEqual(day(30)))
  test('as before, if others are used up', () =>
    expect(after(day(70), [bought(40, 30)], day(50))).toEqual(day(70)))
  test('never, where it still has no end', () => expect(after(null, [bought(0, null)], day(5))).toBeNull())
  test('now, where it had no end', () => expect(after(null, [], day(5))).toEqual(day(5)))
  test('now, though days are left of what the operator has ended', () =>
    expect(after(day(31), [bought(0, 30)], day(21), [20])).toEqual(day(21)))
})

const anyBought = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 400 }),
      days: fc.integer({ min: 1, max: 365 }),
      cancelledAfter: fc.option(fc.integer({ min: 0, max: 14 })),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, days, cancelledAfter }) =>
        bought(at, days, cancelledAfter === null ? undefined : at + cancelledAfter),
      ),
  )
const anyEnds = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 3 })
const isWhole = ({ cancelledAt }: Purchase) => cancelledAt === null

test('what stands whole loses no day of what it bought', () => {
  void fc.assert(
    fc.property(anyBought, (purchases) => {
      for (const [i, { start, end }] of windowsOf(purchases, []).entries()) {
        const { at, days } = purchases[i] as Purchase & { days: number }
        expect(start).toBeGreaterThanOrEqual(at.getTime())
        if (isWhole(purchases[i] as Purchase)) expect(end - start).toBe(days * DAY_MS)
        else expect(end - start).toBeLessThanOrEqual(days * DAY_MS)
      }
    }),
  )
})

/** The same by another way: what is left at each purchase, and the days on top. */
const daysLeft = (purchases: readonly Purchase[]): number =>
  purchases.reduce(
    (so, { at, days }) => ({
      at,
      left: Math.max(0, so.left - (at.getTime() - so.at.getTime())) + (days ?? 0) * DAY_MS,
    }),
    { at: START, left: 0 },
  ).left + (purchases.at(-1)?.at.getTime() ?? 0)

test('a connection ends when all days are used that were bought', () => {
  void fc.assert(
    fc.property(anyBought, (all) => {
      const purchases = all.map((one) => ({ ...one, cancelledAt: null }))
      expect(windowsOf(purchases, []).at(-1)?.end).toBe(daysLeft(purchases))
    }),
  )
})

test('no windows of a connection overlap, none ends before it starts, and nothing bought before an end outlasts it', () => {
  void fc.assert(
    fc.property(anyBought, anyEnds, (purchases, ends) => {
      let last = Number.NEGATIVE_INFINITY
      for (const [i, { start, end }] of windowsOf(purchases, ends.map(day)).entries()) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThanOrEqual(start)
        last = end
        const { at } = purchases[i] as Purchase
        for (const ended of ends.map(day)) if (at < ended) expect(end).toBeLessThanOrEqual(ended.getTime())
      }
    }),
  )
})

test('without one payment a connection ends no later, and not before now', () => {
  void fc.assert(
    fc.property(
      anyBought,
      anyEnds,
      fc.nat(),
      fc.integer({ min: 0, max: 800 }),
      (purchases, ends, n, today) => {
        const ended = ends.map(day)
        const end = new Date(windowsOf(purchases, ended).at(-1)?.end as number)
        const standing = purchases.filter((_, i) => i !== n % purchases.length)
        const after = endAfterChange(end, windowsOf(standing, ended), day(today)) as Date
        expect(after <= end).toBe(true)
        expect(after >= day(today) || +after === +end).toBe(true)
      },
    ),
  )
})

test('purchases that are cancelled at one moment come to the same end in whatever order, and together', () => {
  void fc.assert(
    fc.property(
      anyBought,
      anyEnds,
      fc.integer({ min: 0, max: 500 }),
      fc.array(fc.nat(7), { minLength: 2, maxLength: 4 }),
      (all, ends, at, picks) => {
        const now = day(at)
        const purchases = all.filter((one) => one.at <= now)
        const ended = ends.filter((end) => end <= at).map(day)
        const cancelled = (some: readonly number[]) =>
          purchases.map((one, i) => (some.includes(i) && isWhole(one) ? { ...one, cancelledAt: now } : one))
        const first = windowsOf(purchases, ended).at(-1)
        if (!first) return
        const inTurn = (order: readonly number[]) =>
          order.reduce<Date | null>(
            (end, _, i) => endAfterChange(end, windowsOf(cancelled(order.slice(0, i + 1)), ended), now),
            new Date(first.end),
          )
        const together = endAfterChange(new Date(first.end), windowsOf(cancelled(picks), ended), now)
        expect(inTurn(picks)).toEqual(together)
        expect(inTurn(picks.toReversed())).toEqual(together)
      },
    ),
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
