import type { Json } from '@hedgerow/testing/call'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashToken } from '#platform/crypto/tokens.ts'
import { aCustomer, aSession, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const FIREFOX_ON_ANDROID = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'
const EDGE_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'

const logIn = (
  { email }: Pick<TestCustomer, 'email'>,
  { browser = '', token }: { browser?: string; token?: string } = {},
) =>
  shop.call('POST', '/api/v1/user/login', {
    body: { username: email, password: PASSWORD },
    headers: { 'user-agent': browser },
    ...(token ? { token } : {}),
  })
const tokenFrom = async (...args: Parameters<typeof logIn>): Promise<string> =>
  (await logIn(...args)).body.access_token

const list = (token: string) => shop.call('GET', '/api/v1/user/sessions', { token })
const listed = async (token: string): Promise<Json[]> => (await list(token)).body
const ownId = async (token: string): Promise<string> =>
  (await listed(token)).find(({ isCurrent }) => isCurrent)?._id
const end = (token: string, id: string) => shop.call('DELETE', `/api/v1/user/sessions/${id}`, { token })
const endOthers = (token: string) => shop.call('DELETE', '/api/v1/user/sessions', { token })
const statusOf = async (token: string, call = shop.call) =>
  (await call('GET', '/api/v1/user/profile', { token })).status

const eventsOf = async (token: string): Promise<string[]> =>
  (await shop.call('GET', '/api/v1/user/security/events', { token })).body.events.map(
    ({ kind }: Json) => kind,
  )

/** As if it had been started or used so long ago; without `started`, that is left as it is. */
const age = (token: string, { started, unused }: { started?: string; unused?: string }) =>
  sql`
  update sessions set
    created_at = created_at - ${started ?? '0'}::interval,
    last_used_at = last_used_at - ${unused ?? '0'}::interval,
    expires_at = expires_at - ${unused ?? '0'}::interval
  where token_hash = ${hashToken(token)}`.execute(shop.db)

const daysLeft = async (token: string): Promise<number> => {
  const { rows } = await sql<{ days: number }>`
    select extract(epoch from expires_at - now())::float8 / 86400 as days
    from sessions where token_hash = ${hashToken(token)}`.execute(shop.db)
  return rows[0]?.days ?? 0
}

describe('GET /api/v1/user/sessions', () => {
  test('names the browser and the network coarsely, and says which one asks', async () => {
    const customer = await aCustomer(shop)
    await sql`delete from sessions where customer_id = ${customer.id}`.execute(shop.db)
    const phone = await tokenFrom(customer, { browser: FIREFOX_ON_ANDROID })
    const desk = await tokenFrom(customer, { browser: EDGE_ON_WINDOWS })
    const sessions = await listed(desk)
    expect(sessions.map(({ browser, network, isCurrent }) => [browser, network, isCurrent])).toEqual([
      ['Microsoft Edge on Windows', '127.0.0.0/24', true],
      ['Firefox on Android', '127.0.0.0/24', false],
    ])
    expect((await list(desk)).text).not.toMatch(new RegExp(`${phone}|${desk}|token`))
  })

  test('calls by no name what is no browser that is known, whatever it calls itself', async () => {
    const customer = await aCustomer(shop)
    for (const browser of ['Locked.Call-0800-123456/1.0 (x) y', 'curl/8.0', 'a'.repeat(500), '<b>Ada</b>'])
      await tokenFrom(customer, { browser })
    const names = new Set((await listed(customer.token)).map(({ browser }) => browser))
    expect(names).toEqual(new Set([null]))
  })

  test('shows no one else’s, and none that has ended', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const ended = await aSession(shop, ada.id)
    await age(ended, { unused: '31 days' })
    expect(await listed(ada.token)).toHaveLength(1)
    expect(await listed(eve.token)).toHaveLength(1)
    expect((await list(ada.token)).text).not.toContain(await ownId(eve.token))
  })

  test('is for customers', async () => {
    expectProblem(await shop.call('GET', '/api/v1/user/sessions'), 401)
  })
})

describe('DELETE /api/v1/user/sessions/:sessionId', () => {
  test('ends one at once in every process, and leaves the others', async () => {
    const other = await openSecondFront(shop)
    const customer = await aCustomer(shop)
    const [lost, third] = [await aSession(shop, customer.id), await aSession(shop, customer.id)]
    const id = await ownId(lost)
    expect([await statusOf(lost), await statusOf(lost, other.call)]).toEqual([200, 200])
    expect((await end(customer.token, id)).status).toBe(200)
    expect(await statusOf(lost)).toBe(401)
    await until(async () => (await statusOf(lost, other.call)) === 401)
    expect([await statusOf(customer.token), await statusOf(third)]).toEqual([200, 200])
    expect(await eventsOf(customer.token)).toEqual(['session-ended'])
  })

  test('answers someone else’s like one that there is not, and it goes on', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const foreign = expectProblem(await end(eve.token, await ownId(ada.token)), 404)
    const unknown = expectProblem(await end(eve.token, '00000000-0000-4000-8000-000000000000'), 404)
    expectAlike(foreign, unknown)
    expect(await statusOf(ada.token)).toBe(200)
    expect(await eventsOf(eve.token)).toEqual([])
  })

  test('twice ends it once', async () => {
    const customer = await aCustomer(shop)
    const id = await ownId(await aSession(shop, customer.id))
    const replies = await Promise.all([end(customer.token, id), end(customer.token, id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expectProblem(await end(customer.token, id), 404)
    expect(await eventsOf(customer.token)).toEqual(['session-ended'])
  })

  test('ends the one that asks, too', async () => {
    const { token } = await aCustomer(shop)
    expect((await end(token, await ownId(token))).status).toBe(200)
    expect(await statusOf(token)).toBe(401)
  })

  test.each(['nothing', '%00', 'a'.repeat(90)])('refuses %s, which is no id', async (id) => {
    const { token } = await aCustomer(shop)
    expect((await end(token, id)).status).toBeGreaterThanOrEqual(400)
    expect((await end(token, id)).status).toBeLessThan(500)
  })
})

describe('DELETE /api/v1/user/sessions', () => {
  test('ends all but the one that asks, and no one else’s', async () => {
    const other = await openSecondFront(shop)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const [second, third] = [await aSession(shop, ada.id), await aSession(shop, ada.id)]
    expect([await statusOf(second, other.call), await statusOf(third)]).toEqual([200, 200])
    expect((await endOthers(ada.token)).status).toBe(200)
    expect([await statusOf(second), await statusOf(third)]).toEqual([401, 401])
    await until(async () => (await statusOf(second, other.call)) === 401)
    expect([await statusOf(ada.token), await statusOf(eve.token)]).toEqual([200, 200])
    expect(await eventsOf(ada.token)).toEqual(['sessions-ended'])
  })

  test('without any other changes nothing, and notes nothing', async () => {
    const { token } = await aCustomer(shop)
    expect((await endOthers(token)).status).toBe(200)
    expect(await statusOf(token)).toBe(200)
    expect(await eventsOf(token)).toEqual([])
  })

  test('asked for by two at once leaves one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const customer = await aCustomer(shop)
      const second = await aSession(shop, customer.id)
      const replies = await Promise.all([endOthers(customer.token), endOthers(second)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
      expect([await statusOf(customer.token), await statusOf(second)].sort()).toEqual([200, 401])
    }
  })

  test('asked for by a session that has ended meanwhile ends nothing', async () => {
    const customer = await aCustomer(shop)
    const thief = await aSession(shop, customer.id)
    expect(await statusOf(thief)).toBe(200)
    await sql`delete from sessions where token_hash = ${hashToken(thief)}`.execute(shop.db)
    expectProblem(await endOthers(thief), 401)
    expect(await statusOf(customer.token)).toBe(200)
  })
})

describe('a session ends', () => {
  test('when it was not used for 30 days', async () => {
    const customer = await aCustomer(shop)
    const token = await tokenFrom(customer)
    expect(await daysLeft(token)).toBeCloseTo(30, 3)
    await age(token, { started: '30 days 1 minute', unused: '30 days 1 minute' })
    expect(await statusOf(token)).toBe(401)
  })

  test('30 days after its last use, which is written down once an hour', async () => {
    const customer = await aCustomer(shop)
    const token = await tokenFrom(customer)
    await age(token, { started: '29 days', unused: '29 days' })
    expect(await daysLeft(token)).toBeCloseTo(1, 3)
    expect(await statusOf(token)).toBe(200)
    expect(await daysLeft(token)).toBeCloseTo(30, 3)
    await sql`update sessions set last_used_at = now() - interval '59 minutes', expires_at = now() + interval '5 days'
      where token_hash = ${hashToken(token)}`.execute(shop.db)
    // This process knows that it was used a moment ago; another one reads that it was within the hour.
    const other = await openSecondFront(shop)
    expect([await statusOf(token), await statusOf(token, other.call)]).toEqual([200, 200])
    expect(await daysLeft(token)).toBeCloseTo(5, 3)
  })

  test('never while it is used in another process', async () => {
    const other = await openSecondFront(shop)
    const customer = await aCustomer(shop)
    const token = await tokenFrom(customer)
    await sql`update sessions set expires_at = now() + interval '10 minutes'
      where token_hash = ${hashToken(token)}`.execute(shop.db)
    expect(await statusOf(token, other.call)).toBe(200)
    // As this process writes it down, without notifying the other.
    await sql`update sessions set expires_at = now() + interval '30 days'
      where token_hash = ${hashToken(token)}`.execute(shop.db)
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 11 * 60_000)
    onTestFinished(() => clock.mockRestore())
    expect(await statusOf(token, other.call)).toBe(200)
  })

  test('180 days after it was started, however much it is used', async () => {
    const customer = await aCustomer(shop)
    const token = await tokenFrom(customer)
    await age(token, { started: '179 days', unused: '2 hours' })
    expect(await statusOf(token)).toBe(200)
    expect(await daysLeft(token)).toBeCloseTo(1, 3)
    await age(token, { started: '25 hours', unused: '25 hours' })
    const other = await openSecondFront(shop)
    expect(await statusOf(token, other.call)).toBe(401)
  })

  test('in the moment in which its use is written down, and is refused then', async () => {
    const customer = await aCustomer(shop)
    const token = await tokenFrom(customer)
    await age(token, { unused: '2 hours' })
    const attempt = await shop.db.transaction().execute(async (trx) => {
      await sql`delete from sessions where token_hash = ${hashToken(token)}`.execute(trx)
      const attempt = statusOf(token)
      await until(() => areWaiting(shop))
      return { attempt }
    })
    expect(await attempt.attempt).toBe(401)
  })
})

describe('logging in with a token', () => {
  test('ends its session, in every process', async () => {
    const other = await openSecondFront(shop)
    const customer = await aCustomer(shop)
    expect(await statusOf(customer.token, other.call)).toBe(200)
    const token = await tokenFrom(customer, { token: customer.token })
    expect([await statusOf(token), await statusOf(customer.token)]).toEqual([200, 401])
    await until(async () => (await statusOf(customer.token, other.call)) === 401)
  })

  test('of another account ends that, too, and no other session of it', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const second = await aSession(shop, eve.id)
    const token = await tokenFrom(ada, { token: eve.token })
    expect([await statusOf(token), await statusOf(eve.token), await statusOf(second)]).toEqual([
      200, 401, 200,
    ])
  })

  test('that has ended changes nothing else', async () => {
    const customer = await aCustomer(shop)
    const ended = await aSession(shop, customer.id)
    await age(ended, { unused: '31 days' })
    const token = await tokenFrom(customer, { token: ended })
    expect([await statusOf(token), await statusOf(customer.token)]).toEqual([200, 200])
    expect(await statusOf(await tokenFrom(customer, { token: 'a'.repeat(43) }))).toBe(200)
  })

  test('and a wrong password ends nothing', async () => {
    const { token, email } = await aCustomer(shop)
    const body = { username: email, password: 'not the password' }
    expectProblem(await shop.call('POST', '/api/v1/user/login', { token, body }), 401)
    expect(await statusOf(token)).toBe(200)
  })
})
