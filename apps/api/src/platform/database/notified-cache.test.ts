import { expect, test } from 'vitest'
import { createNotifiedCache } from '#platform/database/notified-cache.ts'

/** Records that a test changes, and how often they were read. */
const records = () => {
  const values = new Map([['a', 1]])
  const reads: string[] = []
  const gates: (() => void)[] = []
  let isHeld = false
  const cache = createNotifiedCache(async (key) => {
    reads.push(key)
    const value = values.get(key)
    if (isHeld) await new Promise<void>((go) => gates.push(go))
    return value
  })
  cache.setListening(true)
  return {
    cache,
    values,
    reads,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const go of gates.splice(0)) go()
    },
  }
}

test('a record is read once, however many ask at once or after', async () => {
  const { cache, reads } = records()
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.get('a')))
  expect(new Set([...answers, await cache.get('a')])).toEqual(new Set([1]))
  expect(reads).toEqual(['a'])
})

test('a change that is heard is read again', async () => {
  const { cache, values } = records()
  await cache.get('a')
  values.set('a', 2)
  cache.forget('a')
  expect(await cache.get('a')).toBe(2)
})

test('a change that is heard during a read is not hidden by what was read', async () => {
  const { cache, values, hold, release } = records()
  hold()
  const old = cache.get('a')
  values.set('a', 2)
  cache.forget('a')
  release()
  await old
  expect(await cache.get('a')).toBe(2)
})

test('nothing is remembered while notifications cannot arrive', async () => {
  const { cache, values } = records()
  await cache.get('a')
  cache.setListening(false)
  values.set('a', 2)
  expect(await cache.get('a')).toBe(2)
  values.set('a', 3)
  expect(await cache.get('a')).toBe(3)
  cache.setListening(true)
  values.set('a', 4)
  expect(await cache.get('a')).toBeLessThanOrEqual(4)
})

test('what was read while no listener was connected is not remembered once one is', async () => {
  const { cache, values, hold, release } = records()
  cache.setListening(false)
  hold()
  const old = cache.get('a')
  values.set('a', 2)
  cache.setListening(true)
  release()
  await old
  expect(await cache.get('a')).toBe(2)
})

test('a record that does not exist is looked for each time', async () => {
  const { cache, values } = records()
  expect(await cache.get('b')).toBeUndefined()
  values.set('b', 5)
  expect(await cache.get('b')).toBe(5)
})

test('a read that fails is tried again', async () => {
  let isBroken = true
  const cache = createNotifiedCache(async () => {
    if (isBroken) throw new Error('away')
    return 1
  })
  cache.setListening(true)
  await expect(cache.get('a')).rejects.toThrow('away')
  isBroken = false
  expect(await cache.get('a')).toBe(1)
})
