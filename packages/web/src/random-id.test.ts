import { Uuid } from '@hedgerow/contract/fields'
import { afterEach, expect, test, vi } from 'vitest'
import { randomId } from '#web/random-id.ts'

afterEach(() => vi.unstubAllGlobals())

test('an id is a UUID that the API takes, another each time, also where there is no TLS', () => {
  const real = crypto
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => real.getRandomValues(bytes),
  })
  const ids = Array.from({ length: 1000 }, randomId)
  for (const id of ids) expect(Uuid.safeParse(id).success, id).toBe(true)
  expect(new Set(ids).size).toBe(1000)
})
