import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClock } from '#runtime/clock.ts'

const DAY_MS = 86_400_000

// Nothing passes between two looks at it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** Never minus nought, which a millisecond between two looks at the time would make. */
const seconds = (ms: number): number => Math.round(ms / 1000) || 0

test('is the server’s own while the shop’s says the same, and the shop’s when it does not', () => {
  const changes: number[] = []
  const clock = createClock((aheadMs) => changes.push(seconds(aheadMs)))
  const off = () => seconds(clock.now() - Date.now())
  clock.sync(Date.now() - 20_000)
  clock.sync(Number.NaN)
  expect([off(), changes]).toEqual([0, []])
  clock.sync(Date.now() - DAY_MS)
  clock.sync(Date.now() - DAY_MS + 1_000)
  expect([off(), changes]).toEqual([-86_400, [86_400]])
  // Someone has set it right.
  clock.sync(Date.now())
  expect([off(), changes]).toEqual([0, [86_400, 0]])
})

test('is no later than what was known last until the shop has spoken, and follows the shop then', () => {
  const changes: number[] = []
  const lastKnown = Date.now() - 365 * DAY_MS
  const clock = createClock((aheadMs) => changes.push(aheadMs), lastKnown)
  expect(clock.now() - lastKnown).toBeLessThan(DAY_MS)
  expect(clock.now() - lastKnown).toBeGreaterThanOrEqual(0)
  clock.sync(Date.now())
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(DAY_MS)
  expect(changes).toEqual([0])
})

test.each([
  [
    -2 * 3_600_000,
    ['The clock of this server is 2 hours ahead, and names and certificates are checked by it: correct it.'],
  ],
  [
    3_600_000,
    ['The clock of this server is 1 hour behind, and names and certificates are checked by it: correct it.'],
  ],
  [60_000, []],
])('says that it is wrong where the shop’s differs by %i ms', (ms, faults) => {
  const clock = createClock(() => undefined)
  clock.sync(Date.now() + ms)
  expect(clock.faults()).toEqual(faults)
})
