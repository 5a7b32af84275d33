import { ApiError } from '@hedgerow/contract/client'
import {
  answerPasskey,
  forgetPasskey,
  makePasskey,
  passkeyMessageOf,
  stopPasskey,
} from '@hedgerow/web/passkey.ts'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aCreationQuestion, aLoginQuestion, stubPasskeys } from '#testing/passkeys.ts'

let browser: ReturnType<typeof stubPasskeys>
beforeEach(() => {
  browser = stubPasskeys()
})
afterEach(() => vi.unstubAllGlobals())

const whyNot = (asking: Promise<unknown>): Promise<string> => asking.then(() => 'answered', passkeyMessageOf)

describe('answerPasskey', () => {
  test('gives the ticket back with the answer', async () => {
    const { ticket, credential } = await answerPasskey(aLoginQuestion())
    expect(ticket).toBe('a-ticket')
    expect(credential).toMatchObject({
      id: 'ZGV2aWNl',
      rawId: 'ZGV2aWNl',
      type: 'public-key',
      response: { signature: 'c2lnbmVk', userHandle: 'd2hvc2U' },
    })
    expect(browser.get.mock.calls[0]?.[0].publicKey).toMatchObject({ userVerification: 'required' })
  })

  test.each([
    ['NotAllowedError', /^No passkey was used\. You cancelled, it took too long, or there is none/],
    ['UnknownError', /^The device did not complete this/],
    ['SomethingNewError', /^The device did not complete this/],
  ])('tells of a %s', async (name, words) => {
    browser.refuses('get', name)
    expect(await whyNot(answerPasskey(aLoginQuestion()))).toMatch(words)
  })

  test('tells who reads the shop under another name where passkeys work', async () => {
    const asked = answerPasskey(aLoginQuestion({ rpId: 'shop.example' }))
    expect(await whyNot(asked)).toBe('Passkeys only work at shop.example. Open the shop there.')
    expect(browser.get).not.toHaveBeenCalled()
  })

  test.each(['127.0.0.1', '[::1]'])(
    'tells at %s that an address of numbers does not do',
    async (hostname) => {
      vi.spyOn(window, 'location', 'get').mockReturnValue({ ...window.location, hostname } as Location)
      expect(await whyNot(answerPasskey(aLoginQuestion({ rpId: hostname })))).toMatch(/made of numbers/)
      vi.restoreAllMocks()
    },
  )

  test('tells of a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    expect(await whyNot(answerPasskey(aLoginQuestion()))).toMatch(/^This browser cannot use passkeys/)
  })

  test('tells of a page without https', async () => {
    vi.stubGlobal('isSecureContext', false)
    expect(await whyNot(answerPasskey(aLoginQuestion()))).toMatch(/^Passkeys only work over https/)
  })

  test('is taken back', async () => {
    browser.hangs('get')
    const asked = answerPasskey(aLoginQuestion())
    await waitFor(() => expect(browser.get).toHaveBeenCalled())
    stopPasskey()
    await expect(asked).rejects.toMatchObject({ name: 'PasskeyProblem', wasStopped: true })
  })
})

describe('makePasskey', () => {
  test('gives the ticket back with what was made', async () => {
    const { ticket, credential } = await makePasskey(aCreationQuestion())
    expect(ticket).toBe('a-ticket')
    expect(credential).toMatchObject({ id: 'ZGV2aWNl', response: { transports: ['internal'] } })
  })

  test.each([
    ['NotAllowedError', /^No passkey was added\. You cancelled, it took too long, or this device has no/],
    ['InvalidStateError', /^This device already has a passkey for your account/],
    ['ConstraintError', /^This device cannot keep a passkey\. It needs a screen lock/],
    ['NotSupportedError', /^We cannot check the passkeys of this device/],
  ])('tells of a %s', async (name, words) => {
    browser.refuses('create', name)
    expect(await whyNot(makePasskey(aCreationQuestion()))).toMatch(words)
  })
})

describe('forgetPasskey', () => {
  test('tells the browser', async () => {
    await forgetPasskey('ZGV2aWNl')
    expect(browser.signalUnknownCredential).toHaveBeenCalledWith({
      rpId: 'localhost',
      credentialId: 'ZGV2aWNl',
    })
  })

  test('leaves a browser alone that does not listen', async () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    await expect(forgetPasskey('ZGV2aWNl')).resolves.toBeUndefined()
  })
})

test('what the server refuses is told in its words', () => {
  const refusal = new ApiError({ title: 'Refused', status: 403, detail: 'It may have been copied.' })
  expect(passkeyMessageOf(refusal)).toBe('It may have been copied.')
})
