import { randomBytes, randomUUID } from 'node:crypto'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import type { Reply } from '@hedgerow/testing/call'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeyedHash, hashKeyOf } from '#crypto/keyed-hash.ts'
import { createRateCounter } from '#http/rate-counter.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aCard, aPurchase, pay } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { environmentOf, type Front, shopOfFile, startTestShop } from '#testing/test-shop.ts'

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

const logIn = (shop: Pick<Front, 'call'>, username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })

describe('too often is answered with 429 and when to come again:', () => {
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

/** Calls as though they came from this address. */
const BEHIND_PROXY = { env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } }
const from = (address: string, cookie?: string) => ({
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
})

describe('a stranger who guesses at an account', () => {
  const guess = (shop: Front, email: string, address: string, password = 'not the password') =>
    shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password },
      headers: from(address),
    })

  test('has 10 log-ins from an address, and its owner is let in from another', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const stranger = '203.0.113.7'
    expect(await countUntilRefused(20, () => guess(shop, ada.email, stranger))).toBe(10)
    expectTooMany(await guess(shop, ada.email.toUpperCase(), stranger, PASSWORD))
    expect((await guess(shop, eve.email, stranger, PASSWORD)).status).toBe(200)
    expect((await guess(shop, ada.email, '198.51.100.9', PASSWORD)).status).toBe(200)
  })

  test('gains nothing by the other addresses of one IPv6 network', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    let i = 0
    const count = await countUntilRefused(20, () => guess(shop, email, `2001:db8:1:2::${(++i).toString(16)}`))
    expect(count).toBe(10)
    expect((await guess(shop, email, '2001:db8:1:100::1', PASSWORD)).status).toBe(200)
  })

  test('with very many addresses stops everybody but the browsers that have logged in before', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const login = await guess(shop, email, '198.51.100.9', PASSWORD)
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toMatch(/^KNOWN-BROWSER=/)
    // The ceiling of the account alone, without the work of 300 guesses.
    const counter = createRateCounter(shop.db, 1, createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)))
    const ofAccount = { name: 'POST /api/v1/user/login 1', of: email, most: 300, seconds: 3600 }
    for (let i = 0; i < 298; i++) await counter.count(ofAccount)
    expectProblem(await guess(shop, email, '203.0.113.1'), 401)
    expectTooMany(await guess(shop, email, '203.0.113.2'))
    expectTooMany(await guess(shop, email, '203.0.113.3', PASSWORD))
    const headers = from('203.0.113.2', cookie)
    const body = { username: email, password: PASSWORD }
    expect((await shop.call('POST', '/api/v1/user/login', { body, headers })).status).toBe(200)
  })

  test('cannot use the cookie of a browser for another account, nor make one, nor guess on with it for ever', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const login = await guess(shop, eve.email, '203.0.113.7', PASSWORD)
    const ofEve = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const cookies = [ofEve, `KNOWN-BROWSER=${'a'.repeat(22)}.${'b'.repeat(43)}`, 'KNOWN-BROWSER=x']
    let i = 0
    const guessAt = (email: string, cookie: string) =>
      shop.call('POST', '/api/v1/user/login', {
        body: { username: email, password: 'not the password' },
        headers: from('203.0.113.7', cookie),
      })
    expect(await countUntilRefused(20, () => guessAt(ada.email, cookies[i++ % 3] ?? ''))).toBe(10)
    expect(await countUntilRefused(20, () => guessAt(eve.email, ofEve))).toBe(10)
  })
})

describe('a browser that has logged in before', () => {
  const knownTo = async (shop: Front, email: string, password = PASSWORD) => {
    const body = { username: email, password }
    const { headers } = await shop.call('POST', '/api/v1/user/login', { body, headers: from('192.0.2.1') })
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const enter = (shop: Front, email: string, cookie: string, password = PASSWORD) =>
    shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password },
      headers: from('203.0.113.7', cookie),
    })

  test('is let in from an address that others have used up', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const cookie = await knownTo(shop, email)
    const neighbour = () =>
      shop.call('POST', '/api/v1/user/login', { body: {}, headers: from('203.0.113.7') })
    expect(await countUntilRefused(70, neighbour)).toBe(60)
    expect((await enter(shop, email, cookie)).status).toBe(200)
    expectTooMany(await enter(shop, email, `KNOWN-BROWSER=${'a'.repeat(22)}.${'b'.repeat(43)}`))
  })

  test('is one browser, however often somebody logs in there', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const cookie = await knownTo(shop, email)
    const again = (await enter(shop, email, cookie)).headers.get('set-cookie') ?? ''
    expect(again.split(';')[0]).toBe(cookie)
  })

  test('is a stranger’s once the password is another', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email, token } = await aCustomer(shop)
    const [stolen, own] = [await knownTo(shop, email), await knownTo(shop, email)]
    const body = { password: PASSWORD, newPassword: 'a robin on the gate' }
    const changed = await shop.call('POST', '/api/v1/user/password', {
      body,
      token,
      headers: from('192.0.2.1', own),
    })
    const renewed = changed.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await countUntilRefused(20, () => enter(shop, email, stolen))).toBe(10)
    expect((await enter(shop, email, renewed, 'a robin on the gate')).status).toBe(200)
  })

  test('is the one in which a password was chosen by the mailed link, while strangers guess', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const counter = createRateCounter(shop.db, 1, createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)))
    const ofAccount = { name: 'POST /api/v1/user/login 1', of: email, most: 300, seconds: 3600 }
    for (let i = 0; i < 301; i++) await counter.count(ofAccount)
    expectTooMany(await enter(shop, email, 'x=y'))
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const token = tokenIn(await mailbox(shop).latest(email, 'new password'), '/reset/')
    const body = { token, password: 'a robin on the gate' }
    const reset = await shop.call('POST', '/api/v1/user/password/reset', { body })
    const cookie = reset.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await enter(shop, email, cookie, 'a robin on the gate')).status).toBe(200)
  })
})

test('a page of another site uses up no limit of its visitor', async () => {
  const shop = await startTestShop(BEHIND_PROXY)
  const { email } = await aCustomer(shop)
  for (let i = 0; i < 61; i++) {
    const headers = { ...from('203.0.113.7'), 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
    expectProblem(await shop.call('POST', '/api/v1/user/login', { body: 'x', headers }), 403)
  }
  const body = { username: email, password: PASSWORD }
  const own = await shop.call('POST', '/api/v1/user/login', {
    body,
    headers: { ...from('203.0.113.7'), 'sec-fetch-site': 'same-origin' },
  })
  expect(own.status).toBe(200)
})

describe('mails with a link that strangers ask for', () => {
  const forget = (shop: Front, username: string, address: string, what = 'password/forgot') =>
    shop.call('POST', `/api/v1/user/${what}`, { body: { username }, headers: from(address) })

  test('are answered alike however many there are, and an address has one a minute', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const [known, unconfirmed] = [await aCustomer(shop), await aCustomer(shop, { isConfirmed: false })]
    for (const [email, what] of [
      [known.email, 'password/forgot'],
      [unconfirmed.email, 'confirm/resend'],
      [uniqueEmail(), 'password/forgot'],
      [uniqueEmail(), 'confirm/resend'],
    ] as const) {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, i) => forget(shop, email, `203.0.113.${i % 2}`, what)),
      )
      for (const { status, text } of replies) expect([status, text]).toEqual([200, '{}'])
    }
    await queueIsEmpty(shop)
    expect((await mailbox(shop).list(known.email, '')).length).toBeLessThanOrEqual(2)
    expect(await mailbox(shop).list(unconfirmed.email, '')).toHaveLength(2)
  })

  test('do not take the owner’s: what a stranger’s address has too much of counts for nobody else', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    for (let i = 0; i < 19; i++) await forget(shop, email, '203.0.113.7')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, '')).toHaveLength(1)
    await forget(shop, email, '198.51.100.9')
    await until(async () => (await mailbox(shop).list(email, '')).length === 2)
  })

  test('are no more than thirty an hour from all addresses together', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop, { isConfirmed: false })
    for (let i = 0; i < 40; i++) await forget(shop, email, `203.0.113.${i}`, 'confirm/resend')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, '')).toHaveLength(30)
  })

  test('do not keep a browser that has logged in before from asking for its own', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(shop)
    const login = await shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password: PASSWORD },
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    for (let i = 0; i < 3; i++) await forget(shop, email, '203.0.113.7')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, 'Choose a new password')).toHaveLength(1)
    const headers = from('203.0.113.7', cookie)
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email }, headers })
    await until(async () => (await mailbox(shop).list(email, 'Choose a new password')).length === 2)
  })
})

describe('limits are counted where all processes share them:', () => {
  test('three processes allow no more than one', async () => {
    const shop = await startTestShop(LIMITED)
    const start = async () => {
      const api = await startApiProcess(environmentOf(shop, await freePort()))
      onTestFinished(() => api.kill())
      return api
    }
    const processes = [shop, await start(), await start()]
    const { email } = await aCustomer(shop)
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => logIn(processes[i % 3] ?? shop, email, 'not the password')),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20)
    // One that has just started knows of it too.
    expectTooMany(await logIn(await start(), email, PASSWORD))
  })

  test('no number of other names pushes a count out, and what has ended is swept away', async () => {
    const shop = await startTestShop(LIMITED)
    const counter = createRateCounter(shop.db, 1, createKeyedHash(randomBytes(32)))
    const name = 'logins'
    const ada = { name, of: 'ada', most: 2, seconds: 3600 }
    for (let i = 0; i < 2; i++) expect(await counter.count(ada)).toBeUndefined()
    await Promise.all(
      Array.from({ length: 6_000 }, (_, i) => counter.count({ name, of: `${i}`, most: 0, seconds: 1 })),
    )
    expect(await counter.count(ada)).toBeGreaterThan(3000)
    await until(async () => {
      await hurry(shop, 'tidy-up')
      const { left } = await shop.db
        .selectFrom('rate_counts')
        .select(({ fn }) => fn.countAll<string>().as('left'))
        .executeTakeFirstOrThrow()
      return Number(left) < 10
    })
    expect(await counter.count(ada)).toBeGreaterThan(3000)
  })

  test('a count begins anew when its time is over', async () => {
    const shop = await startTestShop(LIMITED)
    const counter = createRateCounter(shop.db, 1, createKeyedHash(randomBytes(32)))
    const ada = { name: 'logins', of: 'ada', most: 1, seconds: 1 }
    expect(await counter.count(ada)).toBeUndefined()
    expect(await counter.count(ada)).toBe(1)
    await until(async () => (await counter.count(ada)) === undefined)
  })
})

describe('callbacks that are refused', () => {
  test('are heard 60 times of an address, and what is signed is heard as often as it comes', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const forge = (address: string) =>
      shop.call('POST', '/api/v1/payment/callback', {
        body: { signature: 'x' },
        headers: from(address),
      })
    expect(await countUntilRefused(70, () => forge('203.0.113.7'))).toBe(60)
    expectProblem(await forge('198.51.100.9'), 400)
    const { paymentId } = await aPurchase(shop)
    const update = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' }
    for (let i = 0; i < 70; i++) expect((await sendUpdate(shop, update)).status).toBe(200)
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
