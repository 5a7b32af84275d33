import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '#platform/http/limits/concurrency-limit.ts'

test('so many at once, so many wait in their order, the next is refused for now', async () => {
  const inTurn = createConcurrencyLimit({ atOnce: 2, waiting: 2 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (i: number) =>
    inTurn(() => {
      begun.push(i)
      return new Promise<void>((end) => ends.push(end))
    })
  const all = [0, 1, 2, 3].map(work)
  await expect(work(4)).rejects.toMatchObject({ kind: 'unavailable', status: 503 })
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  for (let i = 0; i < 4; i++) {
    ends[i]?.()
    await all[i === 0 ? 0 : i]?.catch(() => undefined)
    await new Promise((turn) => setImmediate(turn))
  }
  expect(begun).toEqual([0, 1, 2, 3])
})

test('a place is free again after a failure', async () => {
  const inTurn = createConcurrencyLimit({ atOnce: 1, waiting: 1 })
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn(async () => 'yes')).toBe('yes')
})
