import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { isKnownPassword } from '#people/passwords/known-passwords.ts'
import { aCustomer, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({
  env: {
    PUBLIC_URL: 'http://tamarisk.example',
    BRAND_NAME: 'Brackenway',
    BRAND_COMPANY: 'Quillfeather Limited',
  },
})

const aSignup = (signupPassword: string) => ({
  name: 'Ada',
  email: uniqueEmail(),
  signupPassword,
  acceptTerms: true,
})

/** Each way in which a password is chosen. They return what is sent. */
const WAYS = [
  [
    'signing up',
    'signupPassword',
    async () => (chosen: string) => shop.call('POST', '/api/v1/user/create', { body: aSignup(chosen) }),
  ],
  [
    'confirming an address that somebody else has typed',
    'newPassword',
    async () => {
      const body = aSignup(PASSWORD)
      await shop.call('POST', '/api/v1/user/create', { body })
      const token = tokenIn(await mailbox(shop).latest(body.email, 'Confirm your email'), '/confirm/')
      return (newPassword: string) =>
        shop.call('POST', `/api/v1/user/confirm/${token}`, { body: { newPassword } })
    },
  ],
  [
    'a mailed link',
    'password',
    async () => {
      const { email } = await aCustomer(shop)
      await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
      const token = tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
      return (password: string) =>
        shop.call('POST', '/api/v1/user/password/reset', { body: { token, password } })
    },
  ],
  [
    'changing it in the profile',
    'newPassword',
    async () => {
      const { token } = await aCustomer(shop)
      return (newPassword: string) =>
        shop.call('POST', '/api/v1/user/password', { token, body: { password: PASSWORD, newPassword } })
    },
  ],
] as const

describe.each(WAYS)('a password chosen by %s', (_, field, prepare) => {
  test('is refused where it is made of the shop’s words, and taken where it is not', async () => {
    const choose = await prepare()
    for (const password of [
      'wireguard2024',
      'My-V.P.N.1',
      'H3dg3r0w!!',
      'brackenway7',
      'Quillfeather-99',
      'Tamarisk.Example',
      'private internet!',
    ])
      expect(messageFor(expectProblem(await choose(password), 422), field)).toMatch(
        /too close to your name, your email or our own name/,
      )
    expect((await choose('seven herons at low water')).status).toBeLessThan(300)
  })

  test('is refused where it is known from breaches, with a year and a sign behind it as well', async () => {
    const choose = await prepare()
    for (const password of ['a1b2c3d4e5f6', 'Password1!', 'Summer2024!', 'Qwerty12345!', 'dragon#777'])
      expect(messageFor(expectProblem(await choose(password), 422), field)).toMatch(/too common/)
    expect((await choose('seven herons at low water')).status).toBeLessThan(300)
  })
})

test('the list of breached passwords is the whole one', async () => {
  // Of the first thousand, of the first hundred thousand, and of the last.
  for (const known of ['football', 'redwings', 'summer', 'wren', 'a1b2c3d4e5f6'])
    expect([known, await isKnownPassword(known)]).toEqual([known, true])
  for (const unknown of ['seven herons', 'xkqzvwpt', 'qzxv', ''])
    expect([unknown, await isKnownPassword(unknown)]).toEqual([unknown, false])
})
