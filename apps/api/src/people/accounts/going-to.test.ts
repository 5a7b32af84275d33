import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const CHOSEN = 'hedge sparrow 7'
const OWN = 'robin redbreast 3'
const CALCULATOR = '/calculator?days=45&connections=3&features=feature2&currency=EUR&order=1'
const PLAN = '/payment/checkout/5f0c7a52-1f3e-4b65-9a3b-000000000001'

const call = (path: string, body: object) => shop.call('POST', `/api/v1/user/${path}`, { body })

const aNewcomer = async (redirectUrl?: unknown) => {
  const email = uniqueEmail()
  const body = { name: 'Ada', email, signupPassword: CHOSEN, acceptTerms: true, redirectUrl }
  const { status, body: reply } = await call('create', body)
  expect(status).toBe(201)
  const mail = await mailbox(shop).latest(email, 'Confirm your email')
  return { email, mail, signupSecret: reply.signupSecret as string, token: tokenIn(mail, '/confirm/') }
}
const keptOf = async (email: string) =>
  (
    await shop.db
      .selectFrom('customers')
      .select('redirect_path')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).redirect_path

const aResetLink = async (email: string, redirectUrl?: unknown) => {
  await queueIsEmpty(shop)
  expect((await call('password/forgot', { username: email, redirectUrl })).status).toBe(200)
  await queueIsEmpty(shop)
  return tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
}

describe('where a newcomer was going', () => {
  test('is where the mailed link leads, in the browser that signed up and in any other', async () => {
    const same = await aNewcomer(CALCULATOR)
    const here = await call(`confirm/${same.token}`, { signupSecret: same.signupSecret })
    expect(here.body.redirectUrl).toBe(CALCULATOR)
    const other = await aNewcomer(PLAN)
    const there = await call(`confirm/${other.token}`, { password: CHOSEN })
    expect(there.body.redirectUrl).toBe(PLAN)
  })

  test('stands in no mail', async () => {
    const { mail } = await aNewcomer('/calculator?days=45&words=pay+now')
    expect(`${mail.text}${mail.html}`).not.toMatch(/calculator|pay.now|redirect/)
  })

  test('is kept for a link that is sent again, and forgotten once one was used', async () => {
    const { email, token } = await aNewcomer(CALCULATOR)
    await call('confirm/resend', { username: email })
    await queueIsEmpty(shop)
    const again = tokenIn(await mailbox(shop).latest(email, 'Confirm your email'), '/confirm/')
    expect(again).not.toBe(token)
    expectProblem(await call(`confirm/${again}`, { password: 'not the password' }), 422)
    expect((await call(`confirm/${again}`, { password: CHOSEN })).body.redirectUrl).toBe(CALCULATOR)
    expect(await keptOf(email)).toBeNull()
    expectProblem(await call(`confirm/${token}`, { password: CHOSEN }), 400)
  })

  test('is given to one of two who use the link at once', async () => {
    const { token } = await aNewcomer(CALCULATOR)
    const replies = await Promise.all([1, 2].map(() => call(`confirm/${token}`, { password: CHOSEN })))
    expect(replies.filter(({ body }) => body.redirectUrl === CALCULATOR)).toHaveLength(1)
  })

  test('is nothing without a wish', async () => {
    const { token } = await aNewcomer()
    expect((await call(`confirm/${token}`, { password: CHOSEN })).body).not.toHaveProperty('redirectUrl')
  })

  test.each([
    ['another site', '//evil.example'],
    ['another site, named whole', 'https://evil.example/login'],
    ['another site behind a backslash', '/\\evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a link to the account of somebody else', '/confirm/the-token-of-somebody-else'],
    ['the form itself', '/signup'],
    ['too long', `/${'a'.repeat(2000)}`],
    ['too long once it is written as an address', `/${'ü'.repeat(1000)}`],
    ['a number', 7],
    ['an object', { path: '/profile' }],
  ])('is nothing where it is %s, which does not prevent signing up', async (_, wanted) => {
    const { email, token } = await aNewcomer(wanted)
    expect(await keptOf(email)).toBeNull()
    expect((await call(`confirm/${token}`, { password: CHOSEN })).body).not.toHaveProperty('redirectUrl')
  })

  test('does not lead the owner of an address that a stranger typed', async () => {
    const { email, token } = await aNewcomer(CALCULATOR)
    const { status, body } = await call(`confirm/${token}`, { newPassword: OWN })
    expect([status, body.redirectUrl]).toEqual([200, undefined])
    expect(await keptOf(email)).toBeNull()
  })
})

describe('where a customer who forgot the password was going', () => {
  test('is given with the new password, once', async () => {
    const { email } = await aCustomer(shop)
    const token = await aResetLink(email, PLAN)
    const { status, body } = await call('password/reset', { token, password: OWN })
    expect([status, body]).toEqual([200, { email, redirectUrl: PLAN }])
    expect(await keptOf(email)).toBeNull()
  })

  test('is what was wanted last', async () => {
    const { email } = await aCustomer(shop)
    await aResetLink(email, PLAN)
    await shop.db.deleteFrom('rate_counts').execute()
    const token = await aResetLink(email)
    const { body } = await call('password/reset', { token, password: OWN })
    expect(body).toEqual({ email })
  })

  test('is no other site', async () => {
    const { email } = await aCustomer(shop)
    const token = await aResetLink(email, '//evil.example')
    const { body } = await call('password/reset', { token, password: OWN })
    expect(body).toEqual({ email })
  })

  test('does not change what an unconfirmed account was opened with', async () => {
    const { email, token } = await aNewcomer(CALCULATOR)
    await aResetLink(email, PLAN)
    expect(await keptOf(email)).toBe(CALCULATOR)
    expect((await call(`confirm/${token}`, { password: CHOSEN })).body.redirectUrl).toBe(CALCULATOR)
  })

  test('is nothing to the owner of an address that a stranger typed', async () => {
    const { email } = await aNewcomer(CALCULATOR)
    const token = await aResetLink(email, PLAN)
    const { body } = await call('password/reset', { token, password: OWN })
    expect([body, await keptOf(email)]).toEqual([{ email }, null])
  })
})

test('a log-in before confirming is refused with a code by which the page offers another link', async () => {
  const { email } = await aNewcomer()
  const refused = expectProblem(await call('login', { username: email, password: CHOSEN }), 401)
  expect(refused.body.code).toBe('not-confirmed')
  const wrong = expectProblem(await call('login', { username: email, password: 'not the password' }), 401)
  expect(wrong.body).not.toHaveProperty('code')
})
