import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Choice,
  CONNECTIONS,
  clampConnections,
  clampDays,
  DAYS,
  DEFAULT_CHOICE,
  FEATURES,
  fromMask,
  fromWireFeatures,
  labelsOf,
  NO_FEATURES,
  receiptLines,
  toMask,
  totalMinor,
  toWireFeatures,
} from './pricing.ts'

/** Every choice the calculator can hold, with the price that spec §9 gives it, in whole minor units. */
function* everyChoice(): Generator<[Choice, number]> {
  for (let days = 1; days <= 365; days++) {
    for (let connections = 3; connections <= 13; connections++) {
      for (let bits = 0; bits < 16; bits++) {
        const extras = (bits & 1 ? 5 : 0) + (bits & 2 ? 3 : 0) + (bits & 4 ? 2 : 0) + (bits & 8 ? 1 : 0)
        yield [{ days, connections, features: fromMask(bits) }, 100 * days + 10 * (connections - 3) + extras]
      }
    }
  }
}

describe('the price', () => {
  test('is days × 1 + (connections − 3) × 0.1 + the features, for every choice there is', () => {
    let count = 0
    for (const [choice, price] of everyChoice()) {
      if (totalMinor(choice) !== price) expect.fail(`${JSON.stringify(choice)} costs ${totalMinor(choice)}`)
      count++
    }
    expect(count).toBe(365 * 11 * 16)
  })

  test('is the sum of the receipt, each line of which is quantity × unit', () => {
    for (const [choice, price] of everyChoice()) {
      const lines = receiptLines(choice)
      const areRight = lines.every((line) => line.amountMinor === line.quantity * line.unitMinor)
      const sum = lines.reduce((total, line) => total + line.amountMinor, 0)
      if (!areRight || sum !== price) expect.fail(JSON.stringify({ choice, lines }))
    }
  })

  test('of the default choice is 30.00', () => {
    expect(totalMinor(DEFAULT_CHOICE)).toBe(3000)
  })

  test('shows no line for the three connections that are included', () => {
    expect(receiptLines(DEFAULT_CHOICE).map((line) => line.key)).toEqual(['days'])
  })
})

describe('the calculator', () => {
  test.each([
    [-5, 1],
    [0, 1],
    [1, 1],
    [1.4, 1],
    [365, 365],
    [366, 365],
    [500, 365],
    [Number.POSITIVE_INFINITY, 365],
    [Number.NaN, 1],
  ])('takes %s days as %s', (typed, days) => {
    expect(clampDays(typed)).toBe(days)
  })

  test.each([
    [2, 3],
    [3, 3],
    [13, 13],
    [14, 13],
    [Number.NEGATIVE_INFINITY, 3],
    [Number.NaN, 3],
  ])('takes %s connections as %s', (typed, connections) => {
    expect(clampConnections(typed)).toBe(connections)
  })

  test('starts at 30 days and 3 connections, with a slider from 3 to 500', () => {
    expect([DAYS.default, CONNECTIONS.default, DAYS.sliderMin, DAYS.sliderMax]).toEqual([30, 3, 3, 500])
  })
})

const BITS = FEATURES.map(({ bit }) => bit)
const ALL = BITS.reduce((mask, bit) => mask | bit, 0)
const anyMask = fc.subarray(BITS).map((bits) => bits.reduce((mask, bit) => mask | bit, 0))

describe('the options', () => {
  // What is in databases and backups is read by them, and nodes of an older version go by them: a new option gets the
  // next one, and these stay.
  test('stand in the database by numbers that do not change', () => {
    const held = [
      ['feature1', 1],
      ['feature2', 2],
      ['feature3', 4],
      ['feature4', 8],
    ]
    expect(FEATURES.map(({ wire, bit }) => [wire, bit])).toEqual(expect.arrayContaining(held))
  })

  test('have a bit each, which fits an integer of the database', () => {
    for (const bit of BITS) expect(Number.isInteger(Math.log2(bit)) && bit < 2 ** 31).toBe(true)
    expect(new Set(BITS).size).toBe(BITS.length)
  })

  test('come back from their mask, their keys and their names on the wire', () => {
    void fc.assert(
      fc.property(anyMask, (mask) => {
        const features = fromMask(mask)
        expect(toMask(features)).toBe(mask)
        expect(fromWireFeatures(toWireFeatures(features))).toEqual(features)
        expect(FEATURES.filter(({ key }) => features[key]).map(({ label }) => label)).toEqual(labelsOf(mask))
        for (const { key, wire, bit } of FEATURES) {
          expect(features[key]).toBe((mask & bit) === bit)
          expect(toWireFeatures(features)[wire]).toBe(features[key])
        }
      }),
    )
  })

  test('differ by their names', () => {
    expect(toWireFeatures(fromMask(1 + 4))).toEqual({
      feature1: true,
      feature2: false,
      feature3: true,
      feature4: false,
    })
    expect(fromMask(1 + 4)).toEqual({
      priorityBandwidth: true,
      adFilter: false,
      malwareFilter: true,
      familyFilter: false,
    })
    expect(fromMask(0)).toEqual(NO_FEATURES)
    expect(labelsOf(ALL)).toEqual(FEATURES.map(({ label }) => label))
  })
})
