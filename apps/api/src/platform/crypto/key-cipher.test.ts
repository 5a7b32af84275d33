import { randomBytes } from 'node:crypto'
import { generatePresharedKey } from '@hedgerow/wireguard/keys'
import { expect, test } from 'vitest'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'

const cipher = createKeyCipher(randomBytes(32))
const secret = generatePresharedKey()

test('a sealed key opens for its owner', () => {
  expect(cipher.decrypt(cipher.encrypt(secret, 'owner'), 'owner')).toBe(secret)
})

test('a sealed key opens with no other key encryption key', () => {
  const other = createKeyCipher(randomBytes(32))
  expect(() => other.decrypt(cipher.encrypt(secret, 'owner'), 'owner')).toThrow()
})

test('a sealed key opens for no other owner', () => {
  expect(() => cipher.decrypt(cipher.encrypt(secret, 'owner'), 'another')).toThrow()
})

test('a sealed key of which any byte was changed does not open', () => {
  const sealed = cipher.encrypt(secret, 'owner')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => cipher.decrypt(changed, 'owner')).toThrow()
  }
})

test.each([0, 11, 12, 27, 28, 59])('a sealed key cut to %i bytes does not open', (length) => {
  const sealed = cipher.encrypt(secret, 'owner')
  expect(() => cipher.decrypt(sealed.subarray(0, length), 'owner')).toThrow()
})

test('a key never looks the same twice, and never shows', () => {
  const [one, two] = [cipher.encrypt(secret, 'owner'), cipher.encrypt(secret, 'owner')]
  expect(one.equals(two)).toBe(false)
  expect(one.includes(Buffer.from(secret, 'base64'))).toBe(false)
})

test('a text opens for its owner alone, in whatever letters', () => {
  const text = '{"accountHolder":"Zoë Łukasz 李"}'
  const sealed = cipher.encryptText(text, 'owner')
  expect(cipher.decryptText(sealed, 'owner')).toBe(text)
  expect(() => cipher.decryptText(sealed, 'another')).toThrow()
  expect(sealed.includes(Buffer.from('Zoë'))).toBe(false)
})
