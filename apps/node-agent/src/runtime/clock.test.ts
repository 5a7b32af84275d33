import { expect, test } from 'vitest'
import { createClock } from '#runtime/clock.ts'

const DAY_MS = 86_400_000

test('is the server’s own while the shop’s says the same, and the shop’s when it does not', () => {
  const changes: number[] = []
  const clock = createClock((aheadMs) => changes.push(Math.round(aheadMs / 1000)))
  const off = () => Math.round((clock.now() - Date.now()) / 1000)
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
