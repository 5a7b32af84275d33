import type { Reply } from '@hedgerow/testing/call'
import { linkIn, mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashToken } from '#platform/crypto/tokens.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const CHOSEN = 'hedge sparrow 7'
const OWN = 'robin redbreast 3'

/** Someone who has signed up and holds the mail. */
const aNewcomer = async (given: object = {}) => {
  const email = uniqueEmail()
  const body = { name: 'Ada', email, signupPassword: CHOSEN, acceptTerms: true, ...given }
  const { signupSecret } = (await shop.call('POST', '/api/v1/user/create', { body })).body
  const mail = await mailbox(shop).latest(email, 'Confirm your email')
  return { email, signupSecret: signupSecret as string, token: tokenIn(mail, '/confirm/') }
}

const confirm = (token: string, body: object) => shop.call('POST', `/api/v1/user/confirm/${token}`, { body })

const resend = (username: unknown) => shop.call('POST', '/api/v1/user/confirm/resend', { body: { username } })

const logIn = (username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })

const rowOf = (email: string) =>
  shop.db.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

const isConfirmed = async (email: string) => (await rowOf(email)).confirmed_at !== null

const expectOver = (reply: Reply) =>
  expect(expectProblem(reply, 400).body.detail).toMatch(/already been used, or has expired/)

describe('the link of the confirmation mail', () => {
  test('opens a page of the shop; that alone, and a link of an earlier version, confirm nothing', async () => {
    const { email, token } = await aNewcomer()
    const mail = await mailbox(shop).latest(email, 'Confirm your email')
    expect(linkIn(mail, '/confirm/')).toBe(`${shop.url}/confirm/${token}`)
    for (const method of ['GET', 'HEAD', 'GET']) {
      await shop.call(method, `/confirm/${token}`)
      const { status, headers } = await shop.call(method, `/api/v1/user/confirm/${token}`)
      if (method === 'GET')
        expect([status, headers.get('location')]).toEqual([303, `${shop.url}/confirm/${token}`])
    }
    expect(await isConfirmed(email)).toBe(false)
    expect((await confirm(token, { password: CHOSEN })).status).toBe(200)
  })

  test('logs in the browser that signed up, by what it was given then', async () => {
    const { email, token, signupSecret } = await aNewcomer()
    const { status, body } = await confirm(token, { signupSecret })
    expect([status, body.profile.email, body.profile.name]).toEqual([200, email, 'Ada'])
    const profile = await shop.call('GET', '/api/v1/user/profile', { token: body.access_token })
    expect(profile.body.email).toBe(email)
    expect((await rowOf(email)).signup_secret_hash).toBeNull()
  })

  test('logs in who knows the password that was chosen', async () => {
    const { email, token } = await aNewcomer()
    const { status, body } = await confirm(token, { password: CHOSEN })
    expect([status, body.profile.email]).toEqual([200, email])
    expect((await logIn(email, CHOSEN)).status).toBe(200)
  })

  test('leaves to the owner of a foreign address nothing of who typed it', async () => {
    const opener = await aCustomer(shop)
    const { promocode } = await rowOf(opener.email)
    const { email, token, signupSecret } = await aNewcomer({ name: 'Call 0900 now', referral: promocode })
    expect((await rowOf(email)).referred_by).toBe(opener.id)
    const { status, body } = await confirm(token, { newPassword: OWN })
    expect([status, body.profile.name]).toEqual([
      200,
      email.split(/[.@]/).slice(0, 2).join(' ').replaceAll('-', ' '),
    ])
    const { referred_by, name } = await rowOf(email)
    expect([referred_by, name.includes('0900')]).toEqual([null, false])
    expectProblem(await logIn(email, CHOSEN), 401)
    expect((await logIn(email, OWN)).status).toBe(200)
    expectOver(await confirm(token, { signupSecret }))
  })

  test('a forgotten password does the same for an unconfirmed account', async () => {
    const opener = await aCustomer(shop)
    const { promocode } = await rowOf(opener.email)
    const { email, token, signupSecret } = await aNewcomer({ name: 'Call 0900 now', referral: promocode })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const reset = tokenIn(await mailbox(shop).latest(email, 'new password'), '/reset/')
    const body = { token: reset, password: OWN }
    expect((await shop.call('POST', '/api/v1/user/password/reset', { body })).status).toBe(200)
    const { referred_by, name, confirmed_at } = await rowOf(email)
    expect([referred_by, name.includes('0900'), confirmed_at !== null]).toEqual([null, false, true])
    expectOver(await confirm(token, { signupSecret }))
    expectProblem(await logIn(email, CHOSEN), 401)
  })

  test('a confirmed account keeps its name and who referred it when the password is forgotten', async () => {
    const partner = await aCustomer(shop)
    const { email, token } = await aNewcomer({ referral: (await rowOf(partner.email)).promocode })
    await confirm(token, { password: CHOSEN })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const reset = tokenIn(await mailbox(shop).latest(email, 'new password'), '/reset/')
    await shop.call('POST', '/api/v1/user/password/reset', { body: { token: reset, password: OWN } })
    expect(await rowOf(email)).toMatchObject({ name: 'Ada', referred_by: partner.id })
  })

  test('is not used up by a proof that is wrong', async () => {
    const { token } = await aNewcomer()
    const other = await aNewcomer()
    const wrong = expectProblem(await confirm(token, { password: 'not the password' }), 422)
    expect(messageFor(wrong, 'password')).toBe('The password is wrong')
    expectProblem(await confirm(token, { signupSecret: other.signupSecret }), 422)
    const common = expectProblem(await confirm(token, { newPassword: 'password1' }), 422)
    expect(messageFor(common, 'newPassword')).toMatch(/too common/)
    expect((await confirm(token, { password: CHOSEN })).status).toBe(200)
  })

  test.each([
    {},
    { password: CHOSEN, newPassword: OWN },
    { signupSecret: '' },
    { newPassword: 'short' },
    { password: 7 },
    { password: 'x'.repeat(1_001) },
    { signupSecret: 'x'.repeat(201) },
  ])('asks for one proof: refuses %j', async (body) => {
    const { email, token } = await aNewcomer()
    expectProblem(await confirm(token, body), 422)
    expect(await isConfirmed(email)).toBe(false)
  })

  test('works once, and ends the other links', async () => {
    const { email, token, signupSecret } = await aNewcomer()
    await resend(email)
    await until(async () => (await mailbox(shop).list(email, 'Confirm your email')).length === 2)
    const second = tokenIn(await mailbox(shop).latest(email, 'Confirm your email'), '/confirm/')
    expect((await confirm(token, { signupSecret })).status).toBe(200)
    expectOver(await confirm(token, { password: CHOSEN }))
    expectOver(await confirm(second, { newPassword: OWN }))
    expect((await logIn(email, CHOSEN)).status).toBe(200)
  })

  test('works for one of many who follow it at once', async () => {
    const { email, token, signupSecret } = await aNewcomer()
    const proofs = [{ signupSecret }, { password: CHOSEN }, { newPassword: OWN }]
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, i) => confirm(token, proofs[i % 3] ?? {})),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(8).fill(400)])
    const winner = replies.find(({ status }) => status === 200)
    const profile = await shop.call('GET', '/api/v1/user/profile', { token: winner?.body.access_token })
    expect(profile.body.email).toBe(email)
  })

  test('says that it is over once it has expired', async () => {
    const { email, token } = await aNewcomer()
    await shop.db
      .updateTable('account_links')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    expectOver(await confirm(token, { password: CHOSEN }))
    expect(await isConfirmed(email)).toBe(false)
  })

  test('expires after 24 hours', async () => {
    const { token } = await aNewcomer()
    const link = await shop.db
      .selectFrom('account_links')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
    expect(link.expires_at.getTime() - link.created_at.getTime()).toBe(24 * 3_600_000)
  })

  test.each(['x', 'a'.repeat(43), 'a'.repeat(200), '%00', '%E2%82%AC', "'%20or%201=1--"])(
    'says of the made-up token %s that it is over',
    async (token) => {
      expectOver(await confirm(token, { password: CHOSEN }))
    },
  )

  test('is not the link to reset the password', async () => {
    const customer = await aCustomer(shop, { isConfirmed: false })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: customer.email } })
    const token = tokenIn(await mailbox(shop).latest(customer.email, 'new password'), '/reset/')
    expectOver(await confirm(token, { newPassword: OWN }))
  })
})

describe('an account that is never confirmed', () => {
  const age = (email: string, days: number) =>
    shop.db
      .updateTable('customers')
      .set({ created_at: sql<Date>`now() - make_interval(days => ${days})` as never })
      .where('email', '=', email)
      .execute()

  test('is gone after 30 days with all that belonged to it, and one that is confirmed is not', async () => {
    const [old, young] = [await aNewcomer(), await aNewcomer()]
    const confirmed = await aCustomer(shop)
    await age(old.email, 31)
    await age(young.email, 29)
    await age(confirmed.email, 400)
    await hurry(shop, 'tidy-up')
    const left = () =>
      shop.db
        .selectFrom('customers')
        .select('email')
        .where('email', 'in', [old.email, young.email, confirmed.email])
        .execute()
    await until(async () => (await left()).length === 2)
    expect((await left()).map(({ email }) => email).sort()).toEqual([young.email, confirmed.email].sort())
    expectOver(await confirm(old.token, { password: CHOSEN }))
  })
})

describe('POST /api/v1/user/confirm/resend', () => {
  test('mails a new link, and the first one still works', async () => {
    const { email, token } = await aNewcomer()
    expect((await resend(email)).status).toBe(200)
    const mails = await until(async () => {
      const all = await mailbox(shop).list(email, 'Confirm your email')
      return all.length === 2 && all
    })
    expect(mails).toHaveLength(2)
    expect((await confirm(token, { password: CHOSEN })).status).toBe(200)
  })

  test('answers alike for an address without an account, and mails nothing there', async () => {
    const { email } = await aNewcomer()
    const stranger = uniqueEmail('nobody')
    const [known, unknown] = [await resend(email), await resend(stranger)]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(stranger, '')).toEqual([])
  })

  test('mails nothing to an account that is confirmed', async () => {
    const { email } = await aCustomer(shop)
    expect((await resend(email)).status).toBe(200)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, '')).toEqual([])
  })

  test('refuses what is not an email', async () => {
    expect(messageFor(expectProblem(await resend('ada'), 422), 'username')).toBe('Valid email is required')
  })
})
