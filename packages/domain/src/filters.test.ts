import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FILTER_CHOICES,
  FILTERS,
  FILTERS_MASK,
  listsOf,
  readByList,
  toNodeFilters,
  toWireFilters,
  withSwitched,
  writeByList,
} from './filters.ts'
import { FEATURES, fromMask, hasBit, toWireFeatures } from './pricing.ts'

const sum = (bits: readonly number[]) => bits.reduce((mask, bit) => mask | bit, 0)
const anyOn = fc.subarray(FILTERS.map(({ bit }) => bit)).map(sum)

describe('the filters', () => {
  test('are sent to nodes by numbers that do not change', () => {
    const told = [
      ['ads', 1],
      ['malicious', 2],
      ['family', 4],
    ]
    expect(FILTERS.map(({ filter }) => [filter.list, filter.bit])).toEqual(expect.arrayContaining(told))
  })

  test('are the features that have a list', () => {
    expect(FILTERS_MASK).toBe(sum(FEATURES.flatMap(({ bit, filter }) => (filter ? [bit] : []))))
  })

  test('stand on the wire as they are switched', () => {
    void fc.assert(
      fc.property(anyOn, (filtersOn) => {
        expect(toWireFeatures(fromMask(filtersOn))).toMatchObject(toWireFilters(filtersOn))
        expect(withSwitched(0, toWireFilters(filtersOn))).toBe(filtersOn)
        expect(withSwitched(FILTERS_MASK, toWireFilters(filtersOn))).toBe(filtersOn)
        expect(withSwitched(filtersOn, {})).toBe(filtersOn)
      }),
    )
  })

  test('reach the node as a number for each choice, which leads back to their lists', () => {
    for (let choice = 0; choice < FILTER_CHOICES; choice++) {
      const chosen = FILTERS.filter(({ filter }) => hasBit(choice, filter))
      expect(toNodeFilters(sum(chosen.map(({ bit }) => bit)))).toBe(choice)
      expect(listsOf(choice)).toEqual(chosen.map(({ filter }) => filter.list))
    }
  })
})

describe('the names of a node’s lists', () => {
  test('come back from what an agent writes, and those of lists that are not known here do not', () => {
    const told = writeByList(new Map([['ads', 120_000] as const, ['family', 0] as const]))
    expect(readByList(told)).toEqual({ ads: 120_000, family: 0 })
    expect(readByList('ads:1,other:2')).toEqual({ ads: 1 })
  })
})
