import { until } from '@hedgerow/testing/until'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createServiceWatch } from '#probe/watch-service.ts'
import { TIMINGS } from '#runtime/timings.ts'

/** What is said, each time that it changes, while looks find these one after the other, and the last again and again. */
const saidOf = (looks: readonly (string[] | Error)[], count: number): Promise<(string | undefined)[]> => {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const left = [...looks]
  const watch = createServiceWatch({
    reconciler: { isUp: () => true, faults: () => [] },
    look: async () => {
      const found = (left.length > 1 ? left.shift() : left[0]) ?? []
      if (found instanceof Error) throw found
      return found
    },
    timings: { ...TIMINGS, lookMs: 1, secondLookMs: 1 },
    log: pino({ level: 'silent' }),
    signal: stopping.signal,
    isNew: true,
  })
  const said = [watch.text()]
  return new Promise((resolve) => {
    void watch.run(() => {
      said.push(watch.text())
      if (said.length === count) resolve(said)
    })
  })
}

const NOT_TRIED = 'The node has not been tried as a customer yet.'

test('one lost look between others says nothing, two in a row do', async () => {
  const said = await saidOf([[], [], ['lost'], [], [], ['gone'], ['gone'], [], []], 4)
  expect(said).toEqual([NOT_TRIED, '', 'gone', ''])
})

test('a look that breaks off is said, and the agent goes on', async () => {
  expect(await saidOf([new Error('no such file'), new Error('no such file'), [], []], 3)).toEqual([
    NOT_TRIED,
    'The node could not be tried as a customer: the agent’s log says why.',
    '',
  ])
})

test('what other programs say comes in one line, as the shop takes it', async () => {
  expect(await saidOf([['no page: \u001b[31merror\r\n:ssl\n']], 2)).toEqual([
    NOT_TRIED,
    'no page:  [31merror :ssl',
  ])
})

test('what the agent knows without a look does not wait for the next one', async () => {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  let faults: string[] = []
  const watch = createServiceWatch({
    reconciler: { isUp: () => true, faults: () => faults },
    look: async () => [],
    timings: { ...TIMINGS, lookMs: 3_600_000, secondLookMs: 1 },
    log: pino({ level: 'silent' }),
    signal: stopping.signal,
    isNew: true,
  })
  const onChange = vi.fn(() => {
    faults = ['The disk is full.']
  })
  void watch.run(onChange)
  await until(() => watch.text() === 'The disk is full.')
  expect(onChange).toHaveBeenCalledTimes(2)
})
