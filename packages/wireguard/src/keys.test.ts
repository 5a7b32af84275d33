import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateKeyPair, generatePresharedKey, publicKeyOf } from './keys.ts'

const WG = '/usr/bin/wg'

test('a public key is the one that wg finds for its private key', () => {
  expect(existsSync(WG), `${WG} is missing: npm test installs wireguard-tools`).toBe(true)
  for (let i = 0; i < 10; i++) {
    const { privateKey, publicKey } = generateKeyPair()
    expect(execFileSync(WG, ['pubkey'], { input: privateKey }).toString().trim()).toBe(publicKey)
  }
})

test('any 32 bytes are a private key, of which wg finds the same public key', () => {
  const privateKey = generatePresharedKey()
  expect(publicKeyOf(privateKey)).toBe(execFileSync(WG, ['pubkey'], { input: privateKey }).toString().trim())
})

test('keys are 32 bytes in Base64, and never the same', () => {
  const keys = Array.from({ length: 50 }, () => {
    const { privateKey, publicKey } = generateKeyPair()
    return [privateKey, publicKey, generatePresharedKey()]
  }).flat()
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  expect(new Set(keys).size).toBe(150)
})
