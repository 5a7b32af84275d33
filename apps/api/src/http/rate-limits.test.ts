import { randomUUID } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aCard, aPurchase, pay } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const LIMITED = { env: { RATE_LIMIT_SCALE: '1' } }

const expectTooMany = (reply: Reply) => {
  expectProblem(reply, 429)
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3600)
}

/** Calls until it is too often; returns how many calls were not. */
const countUntilRefused = async (most: number, call: () => Promise<Reply>): Promise<number> => {
  for (let count = 0; count <= most; count++) {
    const reply = await call()
    if (reply.status === 429) {
      expectTooMany(reply)
      return count
    }
  }
  return Number.POSITIVE_INFINITY
}

const aMessage = () => ({ id: randomUUID(), name: 'Ada', problem: 'The tunnel drops every night' })

const logIn = (shop: TestShop, username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })

describe('too often is answered with 429 and when to come again:', () => {
  test('10 logins to one account, and others may go on', async () => {
    const shop = await startTestShop(LIMITED)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const count = await countUntilRefused(20, () => logIn(shop, ada.email, 'not the password'))
    expect(count).toBe(10)
    expectTooMany(await logIn(shop, ada.email.toUpperCase(), PASSWORD))
    expect((await logIn(shop, eve.email, PASSWORD)).status).toBe(200)
  })

  test('60 logins from one address', async () => {
    const shop = await startTestShop(LIMITED)
    const count = await countUntilRefused(70, () => logIn(shop, uniqueEmail(), 'short'))
    expect(count).toBe(60)
  })

  test('20 signups from one address', async () => {
    const shop = await startTestShop(LIMITED)
    const signUp = () => shop.call('POST', '/api/v1/user/create', { body: {} })
    expect(await countUntilRefused(30, signUp)).toBe(20)
  })

  test('5 forgotten passwords of one account, and others may go on', async () => {
    const shop = await startTestShop(LIMITED)
    const [email, other] = [uniqueEmail(), uniqueEmail()]
    const forget = (username: string) =>
      shop.call('POST', '/api/v1/user/password/forgot', { body: { username } })
    expect(await countUntilRefused(10, () => forget(email))).toBe(5)
    expect((await forget(other)).status).toBe(200)
  })

  test('3 confirmation mails of one account, whatever else it asked for', async () => {
    const shop = await startTestShop(LIMITED)
    const email = uniqueEmail()
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    await logIn(shop, email, 'not the password')
    const resend = () => shop.call('POST', '/api/v1/user/confirm/resend', { body: { username: email } })
    expect(await countUntilRefused(10, resend)).toBe(3)
  })

  test('20 guesses at a reset link from one address', async () => {
    const shop = await startTestShop(LIMITED)
    const body = { token: 'x', password: 'short' }
    const reset = () => shop.call('POST', '/api/v1/user/password/reset', { body })
    expect(await countUntilRefused(30, reset)).toBe(20)
  })

  test('30 payments from one address', async () => {
    const shop = await startTestShop(LIMITED)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    expect(await countUntilRefused(40, () => pay(shop, customer, order, { cvv: 'x' }))).toBe(30)
  })

  test('30 mails of a connection', async () => {
    const shop = await startTestShop(LIMITED)
    const { customer } = await aPurchase(shop)
    const { token } = customer
    const path = '/api/v1/user/mail/connection/00000000-0000-4000-8000-000000000000'
    expect(await countUntilRefused(40, () => shop.call('POST', path, { token }))).toBe(30)
  })
})

describe('limits', () => {
  const shop = shopOfFile({ env: { RATE_LIMIT_SCALE: '0' } })

  test('are off with a scale of 0', async () => {
    const email = uniqueEmail()
    const replies = await Promise.all(
      Array.from({ length: 30 }, () =>
        shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('never slow down the page that polls a payment', async () => {
    const limited = await startTestShop(LIMITED)
    const { paymentId } = await aPurchase(limited)
    const path = `/api/v1/payment/status/${paymentId}`
    for (let i = 0; i < 200; i++) expect((await limited.call('GET', path)).status).toBe(200)
  })

  test('believe no forwarded address of a proxy that is not trusted', async () => {
    const limited = await startTestShop(LIMITED)
    let i = 0
    const signUp = () =>
      limited.call('POST', '/api/v1/user/create', {
        body: {},
        headers: { 'x-forwarded-for': `203.0.113.${i++}` },
      })
    expect(await countUntilRefused(30, signUp)).toBe(20)
  })

  test('count by the forwarded address behind a trusted proxy', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } })
    let i = 0
    const signUp = () =>
      limited.call('POST', '/api/v1/user/create', {
        body: {},
        headers: { 'x-forwarded-for': `203.0.113.${i++}` },
      })
    expect(await countUntilRefused(30, signUp)).toBe(Number.POSITIVE_INFINITY)
  })

  test('10 messages to a person of one account, and others may go on', async () => {
    const shop = await startTestShop(LIMITED)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const write = ({ token }: { token: string }) =>
      shop.call('POST', '/api/v1/support', { token, body: aMessage() })
    expect(await countUntilRefused(20, () => write(ada))).toBe(10)
    expect((await write(eve)).status).toBe(201)
  })

  test('30 followed links from one address', async () => {
    const shop = await startTestShop(LIMITED)
    const follow = () => shop.call('POST', '/api/v1/partnership/crossings', { body: { code: 'NOBODYS234' } })
    expect(await countUntilRefused(40, follow)).toBe(30)
  })

  test('10 unknown promocodes of one account, wherever they are entered, and others may go on', async () => {
    const shop = await startTestShop({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } })
    const [ada, eve, partner] = [await aCustomer(shop), await aCustomer(shop), await aPartner(shop)]
    const { orderId } = await anOrder(shop, ada)
    let tries = 0
    const enter = ({ token }: { token: string }, promocode: string | null) => {
      const calls = [
        ['/api/v1/partnership/promocode', { promocode }],
        ['/api/v1/orders', { ...anOrderBody(), promocode }],
        [`/api/v1/orders/${orderId}/promocode`, { promocode }],
        ['/api/v1/payment/gate/sale', { id: planFor('1 week').id, ...aCard(), promocode }],
      ] as const
      const [url, body] = calls[tries++ % calls.length] ?? calls[0]
      return shop.call('POST', url, { token, body, headers: { 'x-forwarded-for': `203.0.113.${tries}` } })
    }
    // A code that is somebody's may be entered at will.
    const grace = await aCustomer(shop)
    for (let i = 0; i < 16; i++) expect((await enter(grace, partner.promocode)).status).not.toBe(429)
    const guessed = await Promise.all(Array.from({ length: 30 }, () => enter(ada, 'NOBODYS234')))
    expect(guessed.filter(({ status }) => status === 422)).toHaveLength(10)
    expect(guessed.filter(({ status }) => status === 429)).toHaveLength(20)
    // Else the answer would tell which code is one.
    const refused = await enter(ada, partner.promocode)
    expectTooMany(refused)
    expect(refused.body.detail).toMatch(/many unknown promocodes.*Try again in an hour, or pay without one/)
    expectProblem(await enter(eve, 'NOBODYS234'), 422)
    // Without a code nothing is counted, nor refused.
    const { token } = ada
    const path = `/api/v1/orders/${orderId}/promocode`
    for (let i = 0; i < 15; i++)
      expect((await shop.call('POST', path, { token, body: { promocode: null } })).status).toBe(200)
    expect((await pay(shop, ada, await anOrder(shop, ada))).status).toBe(200)
  })
})
