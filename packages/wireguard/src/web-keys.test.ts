import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { publicKeyOf } from './keys.ts'
import { makeKeyPair } from './web-keys.ts'
import { publicKeyOfBytes } from './x25519.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

afterEach(() => vi.restoreAllMocks())

describe('keys made in a browser', () => {
  const expectPairs = async () => {
    const { privateKey, publicKey } = await makeKeyPair()
    expect(privateKey).toMatch(/^.{43}=$/)
    expect(publicKey).toBe(publicKeyOf(privateKey))
    return privateKey
  }

  test('pair', async () => {
    expect(await expectPairs()).not.toBe(await expectPairs())
  })

  test('pair where the browser does not know the curve', async () => {
    const asked = vi
      .spyOn(crypto.subtle, 'generateKey')
      .mockRejectedValue(new DOMException('', 'NotSupportedError'))
    expect(await expectPairs()).not.toBe(await expectPairs())
    expect(asked).toHaveBeenCalledTimes(2)
  })
})

describe('the public key of a private one', () => {
  test('is that of RFC 7748', () => {
    const bob = Buffer.from('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb', 'hex')
    const publicKey = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'
    expect(Buffer.from(publicKeyOfBytes(bob)).toString('hex')).toBe(publicKey)
  })

  test('is the one that OpenSSL finds, of any bytes', () => {
    const edges = [0, 1, 0x7f, 0x80, 0xff].map((byte) => Buffer.alloc(32, byte))
    for (const bytes of [...edges, ...Array.from({ length: 40 }, () => randomBytes(32))])
      expect(base64(publicKeyOfBytes(bytes))).toBe(publicKeyOf(base64(bytes)))
  })
})
