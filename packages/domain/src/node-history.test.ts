import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillSteps, HISTORIES, type HistoryKind, stepsOf } from './node-history.ts'

const MINUTE = 60_000
const kinds = Object.keys(HISTORIES) as HistoryKind[]
const anyNow = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2030-01-01') })

describe.each(kinds)('the history of a %s', (kind) => {
  const stepMs = HISTORIES[kind].stepMinutes * MINUTE

  test('is of steps that are over, without a hole between them', () => {
    fc.assert(
      fc.property(anyNow, (now) => {
        const steps = stepsOf(kind, now)
        const last = steps.at(-1) ?? 0
        expect(steps).toHaveLength(HISTORIES[kind].steps)
        expect(last + stepMs).toBeLessThanOrEqual(now - 2 * MINUTE)
        expect(last + stepMs).toBeGreaterThan(now - 2 * MINUTE - stepMs)
        for (const [at, from] of steps.entries()) expect(from).toBe(last - (steps.length - 1 - at) * stepMs)
      }),
      { numRuns: 50 },
    )
  })

  test('has every row that was recorded, and says of each minute whether it was reported, once the node reported at all', () => {
    const reported = fc.array(fc.integer({ min: 0, max: HISTORIES[kind].stepMinutes }), {
      minLength: HISTORIES[kind].steps,
      maxLength: HISTORIES[kind].steps,
    })
    fc.assert(
      fc.property(anyNow, reported, (now, counts) => {
        const steps = stepsOf(kind, now)
        const rows = steps.flatMap((from, at) =>
          counts[at] ? [{ from: new Date(from), minutes: counts[at] }] : [],
        )
        const filled = fillSteps(kind, rows, { now, since: 0 })
        expect(filled.flatMap(({ row }) => row ?? [])).toEqual(rows)
        const sum = filled.reduce((all, { row, missed }) => all + missed + (row?.minutes ?? 0), 0)
        expect(sum).toBe(HISTORIES[kind].steps * HISTORIES[kind].stepMinutes)
        const first = steps[100] ?? 0
        const young = fillSteps(kind, [], { now, since: first })
        expect(young.filter(({ missed }) => missed > 0)).toHaveLength(HISTORIES[kind].steps - 100)
      }),
      { numRuns: 20 },
    )
  })
})
