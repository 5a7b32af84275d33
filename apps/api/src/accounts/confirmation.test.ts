import { linkIn, mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { hashToken } from '#crypto/tokens.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** Someone who has signed up and holds the mail. */
const aNewcomer = async () => {
  const email = uniqueEmail()
  const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
  await shop.call('POST', '/api/v1/user/create', { body })
  const mail = await mailbox(shop).latest(email, 'Confirm your email')
  return { email, path: new URL(linkIn(mail, '/confirm/')).pathname, token: tokenIn(mail, '/confirm/') }
}

const follow = async (path: string, method = 'GET') => {
  const { status, headers } = await shop.call(method, path)
  return { status, location: headers.get('location') }
}

const resend = (username: unknown) => shop.call('POST', '/api/v1/user/confirm/resend', { body: { username } })

const isConfirmed = async (email: string) =>
  (
    await shop.db
      .selectFrom('customers')
      .select('confirmed_at')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).confirmed_at !== null

const failed = () => ({ status: 303, location: `${shop.url}/confirm-failed` })

describe('GET /api/v1/user/confirm/:token', () => {
  test('confirms the account and leads to the page that says so, with the email', async () => {
    const { email, path } = await aNewcomer()
    expect(await follow(path)).toEqual({
      status: 303,
      location: `${shop.url}/result?email=${encodeURIComponent(email)}`,
    })
    expect(await isConfirmed(email)).toBe(true)
  })

  test('works once', async () => {
    const { path } = await aNewcomer()
    await follow(path)
    expect(await follow(path)).toEqual(failed())
  })

  test('works for one of many who follow it at once', async () => {
    const { path } = await aNewcomer()
    const all = await Promise.all(Array.from({ length: 10 }, () => follow(path)))
    expect(all.filter(({ location }) => location?.includes('/result?'))).toHaveLength(1)
  })

  test('says that the link failed once it has expired', async () => {
    const { email, path, token } = await aNewcomer()
    await shop.db
      .updateTable('account_links')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    expect(await follow(path)).toEqual(failed())
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

  test('is not used up by a mail scanner that only asks for the head', async () => {
    const { email, path } = await aNewcomer()
    await follow(path, 'HEAD')
    expect(await isConfirmed(email)).toBe(false)
    expect((await follow(path)).location).toContain('/result?')
  })

  test.each(['x', 'a'.repeat(43), 'a'.repeat(200), '%00', '%E2%82%AC', "'%20or%201=1--"])(
    'says that the link failed for the made-up token %s',
    async (token) => {
      expect(await follow(`/api/v1/user/confirm/${token}`)).toEqual(failed())
    },
  )

  test('refuses the token of a link to reset the password', async () => {
    const customer = await aCustomer(shop, { isConfirmed: false })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: customer.email } })
    const token = tokenIn(await mailbox(shop).latest(customer.email, 'new password'), '/reset/')
    expect(await follow(`/api/v1/user/confirm/${token}`)).toEqual(failed())
  })
})

describe('POST /api/v1/user/confirm/resend', () => {
  test('mails a new link, and the first one still works', async () => {
    const { email, path } = await aNewcomer()
    expect((await resend(email)).status).toBe(200)
    const mails = await until(async () => {
      const all = await mailbox(shop).list(email, 'Confirm your email')
      return all.length === 2 && all
    })
    expect(mails).toHaveLength(2)
    expect((await follow(path)).location).toContain('/result?')
  })

  test('answers alike for an address that nobody has, and mails nothing there', async () => {
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
