import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

const DAY_MS = 86_400_000

test('is the server’s own while the shop’s says the same, and the shop’s when it does not', () => {
  const told: number[] = []
  const clock = createClock((aheadMs) => told.push(Math.round(aheadMs / 1000)))
  const off = () => Math.round((clock.now() - Date.now()) / 1000)
  clock.hear(Date.now() - 20_000)
  clock.hear(Number.NaN)
  expect([off(), told]).toEqual([0, []])
  clock.hear(Date.now() - DAY_MS)
  clock.hear(Date.now() - DAY_MS + 1_000)
  expect([off(), told]).toEqual([-86_400, [86_400]])
  // Somebody has set it right.
  clock.hear(Date.now())
  expect([off(), told]).toEqual([0, [86_400, 0]])
})
