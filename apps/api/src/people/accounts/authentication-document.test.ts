import { readFileSync } from 'node:fs'
import type { Endpoint } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import { PASSWORD_WORDS } from '@hedgerow/domain/password-words'
import { PROOF_MINUTES, SESSION_IDLE_DAYS, SESSION_LONGEST_DAYS } from '@hedgerow/domain/sessions'
import { describe, expect, test } from 'vitest'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { limitInWords } from '#testing/limits.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const DOCUMENT = readFileSync(
  new URL('../../../../../docs/security/authentication.md', import.meta.url),
  'utf8',
)

/** The calls by which one logs in, or might by guessing. */
const WAYS_IN: readonly Endpoint[] = [
  endpoints.login,
  endpoints.signup,
  endpoints.confirmAccount,
  endpoints.lookAtLink,
  endpoints.resendConfirmation,
  endpoints.forgotPassword,
  endpoints.resetPassword,
  endpoints.changePassword,
  endpoints.prove,
  endpoints.finishLogin,
  endpoints.loginPasskeyOptions,
  endpoints.loginByPasskey,
  endpoints.askForWayBack,
  endpoints.stopWayBack,
  endpoints.eraseAccount,
]

describe('the document of how accounts are guarded', () => {
  test.each(WAYS_IN)('says how often $method $url may be called', ({ method, url, limits = [] }) => {
    expect(limits.length).toBeGreaterThan(0)
    expect(DOCUMENT).toContain(`| \`${method} ${url}\` | ${limits.map(limitInWords).join('; ')} |`)
  })

  test('lists the words that no password may be made of, and no others', () => {
    const [, listed = ''] = /add what your shop is about\): ([^.]*)\./.exec(DOCUMENT) ?? []
    expect(listed.split(',').map((word) => word.replaceAll(/\s+/g, ' ').trim())).toEqual(PASSWORD_WORDS)
  })

  test('says how long sessions last, and when they ask again', () => {
    expect(DOCUMENT).toContain(`| ends without use after | ${SESSION_IDLE_DAYS} days |`)
    expect(DOCUMENT).toContain(`| ends whatever happens after | ${SESSION_LONGEST_DAYS} days |`)
    expect(DOCUMENT).toMatch(new RegExp(`\\| asks again .* \\| ${PROOF_MINUTES} minutes ago \\|`))
  })
})

const shop = shopOfFile()

test('an account has as many sessions at once as its owner likes, and none ends another', async () => {
  expect(DOCUMENT).toContain('| sessions of an account at once | any number |')
  const { email } = await aCustomer(shop)
  const tokens: string[] = []
  for (let i = 0; i < 25; i++) {
    const body = { username: email, password: PASSWORD }
    tokens.push((await shop.call('POST', '/api/v1/user/login', { body })).body.access_token)
  }
  expect(new Set(tokens).size).toBe(25)
  for (const token of tokens)
    expect((await shop.call('GET', '/api/v1/user/profile', { token })).status).toBe(200)
})
