import { describe, expect, test } from 'vitest'
import { ACTIVE_BIT, MARKS, markOf, NOBODY, PRIORITY_BIT, resolverOf } from '#network/marks.ts'

describe('The mark of a customer', () => {
  test('is another one for each choice of filters and priority, and never nobody’s', () => {
    const all = [false, true].flatMap((hasPriority) =>
      Array.from({ length: 8 }, (_, filters) => markOf({ filters, hasPriority })),
    )
    expect(new Set(all).size).toBe(16)
    expect([...MARKS].sort((a, b) => a - b)).toEqual([NOBODY, ...all].sort((a, b) => a - b))
    for (const mark of all) expect(mark & ACTIVE_BIT).toBe(ACTIVE_BIT)
  })

  test('leads to the resolver of its filters, with priority or without, and nobody to the ninth', () => {
    for (let filters = 0; filters < 8; filters++) {
      expect(resolverOf(markOf({ filters, hasPriority: false }))).toBe(filters + 1)
      expect(resolverOf(markOf({ filters, hasPriority: true }))).toBe(filters + 1)
    }
    expect(resolverOf(NOBODY)).toBe(9)
    expect(markOf({ filters: 0, hasPriority: true }) & PRIORITY_BIT).toBe(PRIORITY_BIT)
  })
})
