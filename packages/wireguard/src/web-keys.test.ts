import { afterEach, describe, expect, test, vi } from 'vitest'
import { publicKeyOf } from './keys.ts'
import { makeKeyPair } from './web-keys.ts'

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
