import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isPublicKey } from './public-keys.ts'

const P = 2n ** 255n - 19n

const written = (number: bigint): string =>
  Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse().toString('base64')

const aKey = (): string =>
  generateKeyPairSync('x25519')
    .publicKey.export({ type: 'spki', format: 'der' })
    .subarray(-32)
    .toString('base64')

/** OpenSSL refuses to agree on a secret that is zero. */
const agrees = (key: string): boolean => {
  const der = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), Buffer.from(key, 'base64')])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  try {
    return diffieHellman({ privateKey: generateKeyPairSync('x25519').privateKey, publicKey }).some(Boolean)
  } catch {
    return false
  }
}

const LOW_ORDER = [
  0n,
  1n,
  0xb8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
  P - 1n,
].map(written)

describe('the public key of a peer', () => {
  test('is one that a device makes', () => {
    for (let i = 0; i < 50; i++) expect(isPublicKey(aKey())).toBe(true)
  })

  test.each(LOW_ORDER)('is not %s, with which every secret is zero', (key) => {
    expect(agrees(key)).toBe(false)
    expect(isPublicKey(key)).toBe(false)
  })

  test.each([P, P + 1n, P + 9n, 2n ** 255n - 1n, 2n ** 255n + 9n, 2n ** 256n - 1n])(
    'is not another way to write a key: %s',
    (number) => expect(isPublicKey(written(number))).toBe(false),
  )

  test('may come close to the greatest', () => expect(isPublicKey(written(P - 2n))).toBe(true))

  test.each([
    '',
    'A'.repeat(43),
    `${'A'.repeat(42)}B=`,
    aKey().slice(0, -1),
    `${aKey()}\n`,
    ` ${aKey()}`,
    Buffer.alloc(31, 7).toString('base64'),
    Buffer.alloc(33, 7).toString('base64'),
    Buffer.alloc(32, 7).toString('hex'),
    Buffer.from(aKey(), 'base64').toString('base64url'),
    'A'.repeat(1_000_000),
  ])('is not anything else', (text) => expect(isPublicKey(text)).toBe(false))
})
