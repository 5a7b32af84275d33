import { fewOrAll } from '@hedgerow/testing/strength'
import { expect, test } from 'vitest'
import { reportOf } from '#testing/torture/report.ts'
import { torture } from '#testing/torture/run.ts'

const SEED = 7
const KILLS = fewOrAll(3, 12)

/** `npm run torture` is the same at full size. */
test('customers buy each thing once, whatever is killed and whatever the gateway does', {
  timeout: 400_000,
}, async ({ signal }) => {
  const outcome = await torture(
    {
      checkouts: fewOrAll(10, 40),
      kills: KILLS,
      restarts: 1,
      seed: SEED,
      atOnce: 10,
      abandonedAfterS: 6,
      patienceS: 6,
      quietWithinS: 240,
    },
    signal,
  )
  expect(outcome.violations, reportOf(outcome)).toEqual([])
  expect(outcome.toll.kills).toBeGreaterThanOrEqual(KILLS)
  expect(outcome.toll.restarts).toBe(1)
})
