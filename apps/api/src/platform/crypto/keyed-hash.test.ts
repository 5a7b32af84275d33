import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'

const key = randomBytes(32)
const hash = createKeyedHash(hashKeyOf(key))
const pan = '4000000000000077'

test('the same text of the same kind has the same hash, in every process with the key', () => {
  expect(hash('card', pan).equals(createKeyedHash(hashKeyOf(Buffer.from(key)))('card', pan))).toBe(true)
})

test('another text, another kind and another key have other hashes', () => {
  for (const other of [
    hash('card', `${pan}7`),
    hash('network', pan),
    createKeyedHash(hashKeyOf(randomBytes(32)))('card', pan),
  ])
    expect(hash('card', pan).equals(other)).toBe(false)
})

test('it is not hashed with the key that seals', () => {
  expect(hash('card', pan).equals(createHmac('sha256', key).update(`card:${pan}`).digest())).toBe(false)
})
