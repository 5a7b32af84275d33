import { until } from '@hedgerow/testing/until'
import { onTestFinished, test, vi } from 'vitest'
import { reportRegularly } from '#report/report-regularly.ts'
import { TIMINGS } from '#runtime/timings.ts'

test('a look that has long waited for its turn does not put off the next one', async () => {
  const stopping = new AbortController()
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => {
    stopping.abort()
    clock.mockRestore()
  })
  const read = vi.fn(async (onTurn: () => void) => {
    now += 3_600_000
    onTurn()
    return undefined
  })
  void reportRegularly({
    reconciler: { read },
    state: { awaited: new Set() },
    errorCount: () => 0,
    heard: { is: () => false },
    timings: { ...TIMINGS, scanMs: 1 },
    signal: stopping.signal,
  } as never)
  await until(() => read.mock.calls.length > 1)
})
