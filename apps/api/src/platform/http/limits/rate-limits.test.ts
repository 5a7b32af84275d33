import { randomBytes, randomUUID } from 'node:crypto'
import { freePort } from '@hedgerow/testing/free-port'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeyedHash } from '#platform/crypto/keyed-hash.ts'
import { createRateCounter } from '#platform/http/limits/rate-counter.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { BEHIND_PROXY, countUntilRefused, expectTooMany, from, LIMITED, logIn } from '#testing/limits.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aCard, aPurchase, pay } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { environmentOf, type Front, shopOfFile, startTestShop } from '#testing/test-shop.ts'

const aMessage = () => ({ id: randomUUID(), name: 'Ada', problem: 'The tunnel drops every night' })

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

test('a network with many addresses guesses no more often at an account than four lines', async () => {
  const shop = await startTestShop(BEHIND_PROXY)
  const { email } = await aCustomer(shop)
  const guess = (i: number) =>
    shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password: 'not the password' },
      headers: from(`2001:db8:1:${(i << 8).toString(16)}::1`),
    })
  let i = 0
  expect(await countUntilRefused(60, () => guess(i++))).toBe(40)
  const { status } = await shop.call('POST', '/api/v1/user/login', {
    body: { username: email, password: PASSWORD },
    headers: from('2001:db8:2::1'),
  })
  expect(status).toBe(200)
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

  test('do not take the owner’s: what a stranger’s address has too much of counts for no one else', async () => {
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
    const { email } = await aCustomer(shop)
    for (let i = 0; i < 40; i++) {
      await forget(shop, email, `${i + 1}.0.113.7`)
      await queueIsEmpty(shop)
    }
    expect(await mailbox(shop).list(email, '')).toHaveLength(30)
  })

  test('are ten an hour to a mailbox that has confirmed nothing, however many accounts lead there', async () => {
    const shop = await startTestShop(BEHIND_PROXY)
    const victim = uniqueEmail()
    const tagged = Array.from({ length: 14 }, (_, i) => victim.replace('@', `+${i}@`))
    for (const [i, email] of tagged.entries()) {
      const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
      const headers = from(`${i + 1}.0.113.7`)
      expect((await shop.call('POST', '/api/v1/user/create', { body, headers })).status).toBe(201)
      for (const what of ['confirm/resend', 'password/forgot'])
        await forget(shop, email, `${i + 1}.1.113.7`, what)
    }
    await queueIsEmpty(shop)
    const mails = await Promise.all(tagged.map((email) => mailbox(shop).list(email, '')))
    expect(mails.flat()).toHaveLength(10)
    // Its owner has opened no account yet, and is kept from none.
    await shop.call('POST', '/api/v1/user/create', {
      body: { name: 'Ada', email: victim, signupPassword: 'hedge sparrow 7', acceptTerms: true },
    })
    await mailbox(shop).latest(victim, 'Confirm your email')
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

  test('a provider may do so much in all, however many of its networks call, and what is refused adds no rows', async () => {
    const shop = await startTestShop(LIMITED)
    const counter = createRateCounter(shop.db, 1, createKeyedHash(randomBytes(32)))
    const count = (from: string, name: string) =>
      counter.count({ name, of: '', most: 1, seconds: 3600, from })
    const countAllowed = async (name: string, addressOf: (i: number) => string) => {
      const waits = []
      for (let i = 0; i < 100; i++) waits.push(await count(addressOf(i), name))
      return waits.filter((wait) => wait === undefined).length
    }
    const hex = (i: number) => i.toString(16)
    expect(await countAllowed('rotating /64 in a /56', (i) => `2001:db8:1:${hex(i)}::1`)).toBe(2)
    expect(await countAllowed('rotating /56 in a /48', (i) => `2001:db8:1:${hex(i << 8)}::1`)).toBe(4)
    expect(await countAllowed('rotating /48 in a /32', (i) => `2001:db8:${hex(i)}::1`)).toBe(32)
    expect(
      await countAllowed('rotating /32 in a /29', (i) => `2001:${hex(0xdb8 + (i % 8))}:${hex(i)}::1`),
    ).toBe(64)
    expect(await countAllowed('rotating addresses in a /24', (i) => `203.0.113.${i}`)).toBe(4)
    expect(await countAllowed('rotating /24 in a /16', (i) => `203.0.${i}.1`)).toBe(32)
    // What one line has too much of counts for no other, and with its neighbours' it is soon enough.
    expect(await countAllowed('one line', () => '2001:db8::1')).toBe(1)
    expect(await count('2001:db8:0:1::1', 'one line')).toBeUndefined()
    const rows = await shop.db.selectFrom('rate_counts').select('key').execute()
    expect(rows.length).toBeLessThanOrEqual((2 + 4 + 32 + 64 + 2) * 5 + (4 + 32) * 3)
  })

  test('what one line has too much of costs others nothing, however many come at once', async () => {
    const shop = await startTestShop(LIMITED)
    // As many processes: what one knows to be used up, another has to ask.
    const counters = Array.from({ length: 12 }, () =>
      createRateCounter(shop.db, 1, createKeyedHash(Buffer.alloc(32, 1))),
    )
    const allowed = async (name: string, addressOf: (i: number) => string) => {
      const one = { name, of: '', most: 20, line: 1, seconds: 3600 }
      const waits = await Promise.all(
        counters.map((counter, i) => counter.count({ ...one, from: addressOf(i) })),
      )
      for (const wait of waits) expect(wait ?? 1).toBeGreaterThan(0)
      return waits.filter((wait) => wait === undefined).length
    }
    for (let round = 0; round < 10; round++) {
      expect(await allowed(`round ${round}`, () => '203.0.113.1')).toBe(1)
      expect(await allowed(`round ${round}`, (i) => `203.${i + 1}.113.1`)).toBe(12)
      expect(await allowed(`round ${round}`, (i) => `198.${i}.113.1`)).toBe(7)
    }
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
  test('in number from neighbours of the gateway keep none of its own out', async () => {
    // Six of an address, 24 of its /24.
    const shop = await startTestShop({ env: { ...BEHIND_PROXY.env, RATE_LIMIT_SCALE: '0.1' } })
    const forge = (address: string) =>
      shop.call('POST', '/api/v1/payment/callback', { body: { signature: 'x' }, headers: from(address) })
    for (let i = 0; i < 40; i++) await forge(`203.0.113.${1 + (i % 5)}`)
    expectProblem(await forge('203.0.113.1'), 429)
    expectProblem(await forge('203.0.113.200'), 400)
  })

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
    // A known code may be entered at will.
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
