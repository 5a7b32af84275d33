import { SECURITY_EVENT_DAYS, SECURITY_EVENTS, type SecurityEvent } from '@hedgerow/domain/security-events'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keepEvent } from '#people/security-events/security-events.ts'
import { aCustomer, aSession, eraseAccount, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aPurchase } from '#testing/payments.ts'
import { type Front, openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36'

const logIn = (
  username: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
  where: Pick<Front, 'call'> = shop,
) => where.call('POST', '/api/v1/user/login', { body: { username, password }, headers })

const rowsOf = (customerId: string) =>
  shop.db
    .selectFrom('security_events')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute()

const kindsOf = async (customerId: string) => (await rowsOf(customerId)).map(({ kind }) => kind)

/** Once so many are kept; failed log-ins are noted after their answer. */
const reachesRows = (customerId: string, times: number) =>
  until(async () => (await rowsOf(customerId)).reduce((sum, row) => sum + row.times, 0) === times)

const eventsOf = (token: string | undefined, before = '') =>
  shop.call('GET', `/api/v1/user/security/events${before && `?before=${before}`}`, { token })

const age = (customerId: string, interval: string) =>
  sql`update security_events set created_at = now() - ${interval}::interval,
    last_at = now() - ${interval}::interval where customer_id = ${customerId}`.execute(shop.db)

describe('GET /api/v1/user/security/events', () => {
  test('tells what happened, the newest first, with the browser by its name and the coarse network', async () => {
    const { id, email, token } = await aCustomer(shop)
    await logIn(email, 'not the password', { 'user-agent': FIREFOX })
    await reachesRows(id, 1)
    await logIn(email, PASSWORD, { 'user-agent': ANDROID })
    const { status, body } = await eventsOf(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      hasMore: false,
      events: [
        { kind: 'new-browser', browser: 'Chrome on Android', network: '127.0.0.0/24', times: 1 },
        { kind: 'log-in-failed', browser: 'Firefox on Linux', network: '127.0.0.0/24', times: 1 },
      ],
    })
    expect(Object.keys(body.events[0]).sort()).toEqual(
      ['_id', 'at', 'browser', 'kind', 'lastAt', 'network', 'times'].sort(),
    )
  })

  test('tells them in pages, each once', async () => {
    const { id, token } = await aCustomer(shop)
    for (let times = 0; times < 120; times++) await keepEvent(shop.db, id, 'asked-again')
    const seen: string[] = []
    for (const hasMore of [true, true, false]) {
      const { body } = await eventsOf(token, seen.at(-1))
      expect(body.hasMore).toBe(hasMore)
      seen.push(...body.events.map(({ _id }: { _id: string }) => _id))
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120])
    expect([...seen].sort((a, b) => Number(b) - Number(a))).toEqual(seen)
  })

  test('shows no one else’s, also where a page begins with one of theirs', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    await keepEvent(shop.db, ada.id, 'asked-again')
    await keepEvent(shop.db, eve.id, 'asked-again')
    await keepEvent(shop.db, ada.id, 'session-ended')
    const [, , last] = (
      await sql<{ id: string }>`select id from security_events order by id desc limit 3`.execute(shop.db)
    ).rows
    for (const before of ['', String(Number(last?.id) + 3), '999999999999999999']) {
      const { body } = await eventsOf(eve.token, before)
      expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual(['asked-again'])
    }
  })

  test.each(['x', '-1', '1.5', '9'.repeat(19), "1'--", ''])(
    'refuses a page that begins at %j',
    async (before) => {
      const { token } = await aCustomer(shop)
      const reply = await shop.call(
        'GET',
        `/api/v1/user/security/events?before=${encodeURIComponent(before)}`,
        { token },
      )
      expectProblem(reply, 422)
    },
  )

  test('is for who is logged in', async () => {
    expectProblem(await eventsOf(undefined), 401)
  })
})

describe('what strangers can cause', () => {
  test('costs a row an hour, however often they try, at once and one after the other', async () => {
    const { id, email } = await aCustomer(shop)
    await Promise.all(Array.from({ length: 12 }, () => logIn(email, 'not the password')))
    for (let times = 0; times < 3; times++) await logIn(email, 'not the password')
    await reachesRows(id, 15)
    // The tries may have been in two hours of the clock.
    expect((await rowsOf(id)).length).toBeLessThanOrEqual(2)
  })

  test('is a link to choose a password, too', async () => {
    const { id, email } = await aCustomer(shop)
    for (let times = 0; times < 4; times++)
      await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    await reachesRows(id, 4)
    expect(new Set(await kindsOf(id))).toEqual(new Set(['reset-asked']))
  })

  test('costs nothing where there is no account', async () => {
    const { rows: before } = await sql`select from security_events`.execute(shop.db)
    await logIn(uniqueEmail('nobody'), 'not the password')
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: uniqueEmail('nobody') } })
    const { id, email } = await aCustomer(shop)
    await logIn(email, 'not the password')
    await reachesRows(id, 1)
    const { rows: after } = await sql`select from security_events`.execute(shop.db)
    expect(after.length).toBe(before.length + 1)
  })

  test('is answered while the note has to wait', async () => {
    const { id, email } = await aCustomer(shop)
    await shop.db.transaction().execute(async (trx) => {
      await sql`lock table security_events in exclusive mode`.execute(trx)
      expectProblem(await logIn(email, 'not the password'), 401)
      expectProblem(await logIn(email, 'not the password'), 401)
      expect(await rowsOf(id)).toEqual([])
    })
    await reachesRows(id, 2)
  })

  test('is kept when the shop stops right after its answer', async () => {
    const own = await openSecondFront(shop)
    const { id, email } = await aCustomer(shop)
    await Promise.all(Array.from({ length: 8 }, () => logIn(email, 'not the password', {}, own)))
    await own.stop()
    const { rows } = await sql<{ times: number }>`
      select sum(times)::integer as times from security_events where customer_id = ${id}`.execute(shop.db)
    expect(rows[0]?.times).toBe(8)
  })
})

describe('what is kept of an account', () => {
  test('is kept for 90 days', async () => {
    const [old, young] = [await aCustomer(shop), await aCustomer(shop)]
    await keepEvent(shop.db, old.id, 'asked-again')
    await keepEvent(shop.db, young.id, 'asked-again')
    await age(old.id, `${SECURITY_EVENT_DAYS} days 1 minute`)
    await age(young.id, `${SECURITY_EVENT_DAYS - 1} days`)
    await hurry(shop, 'tidy-up')
    await until(async () => (await rowsOf(old.id)).length === 0)
    expect(await kindsOf(young.id)).toEqual(['asked-again'])
  })

  test('goes with the account', async () => {
    const customer = await aCustomer(shop)
    await keepEvent(shop.db, customer.id, 'passkey-added')
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await rowsOf(customer.id)).toEqual([])
    expect(await keepEvent(shop.db, customer.id, 'log-in')).toBe(false)
    expect(await keepEvent(shop.db, customer.id, 'log-in-failed')).toBe(false)
  })

  test('waits for an erasure under way, and then is nothing', async () => {
    const { id } = await aCustomer(shop)
    let kept: Promise<boolean[]> | undefined
    await shop.db.transaction().execute(async (trx) => {
      await sql`select from customers where id = ${id} for update`.execute(trx)
      kept = Promise.all([keepEvent(shop.db, id, 'log-in'), keepEvent(shop.db, id, 'log-in-failed')])
      await until(() => areWaiting(shop, 2))
      await trx.deleteFrom('customers').where('id', '=', id).execute()
    })
    expect(await kept).toEqual([false, false])
  })

  test('is not kept of what was taken back with the transaction, nor mailed', async () => {
    const { id, email } = await aCustomer(shop)
    const change = shop.db.transaction().execute(async (trx) => {
      await keepEvent(trx, id, 'second-step-off')
      throw new Error('the change failed')
    })
    await expect(change).rejects.toThrow('the change failed')
    await queueIsEmpty(shop)
    expect([await rowsOf(id), await mailbox(shop).list(email, '')]).toEqual([[], []])
  })

  test('are log-ins, also by the mailed link, and what ends sessions and moves keys and money', async () => {
    const email = uniqueEmail()
    const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
    await shop.call('POST', '/api/v1/user/create', { body })
    const mail = await mailbox(shop).latest(email, 'Confirm your email')
    const link = mail.text.match(/\/confirm\/([\w-]+)/)?.[1]
    const confirmed = await shop.call('POST', `/api/v1/user/confirm/${link}`, {
      body: { password: 'hedge sparrow 7' },
    })
    const { access_token: token } = confirmed.body
    expect((await eventsOf(token)).body.events.map(({ kind }: { kind: string }) => kind)).toEqual(['log-in'])

    const { customer, paymentId } = await aPurchase(shop)
    const [connection] = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
      .connections
    await shop.call('POST', `/api/v1/connections/${connection._id}/keys`, { token: customer.token })
    await shop.call('POST', `/api/v1/connections/${connection._id}/link`, { token: customer.token })
    await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    const { refund } = (
      await shop.call('GET', `/api/v1/payment/${paymentId}/cancellation`, { token: customer.token })
    ).body
    const cancelled = { token: customer.token, body: { refund } }
    expect((await shop.call('POST', `/api/v1/payment/${paymentId}/cancellation`, cancelled)).status).toBe(200)
    expect((await shop.call('POST', `/api/v1/payment/${paymentId}/cancellation`, cancelled)).status).toBe(200)
    await aSession(shop, customer.id)
    await shop.call('DELETE', '/api/v1/user/sessions', { token: customer.token })
    expect(await kindsOf(customer.id)).toEqual(
      expect.arrayContaining([
        'new-keys',
        'link-made',
        'data-exported',
        'purchase-cancelled',
        'sessions-ended',
      ]),
    )
    expect((await kindsOf(customer.id)).filter((kind) => kind === 'purchase-cancelled')).toHaveLength(1)
  })

  test('has words for every kind', () => {
    for (const words of Object.values(SECURITY_EVENTS)) expect(words).toMatch(/^[A-Z].*[^.]$/)
  })
})

describe('the mail for a change', () => {
  const mailOf = async (customer: { id: string; email: string }, kind: SecurityEvent, subject = '') => {
    await keepEvent(shop.db, customer.id, kind)
    return mailbox(shop).latest(customer.email, subject)
  }

  test.each([
    ['second-step-on', 'The second step of your account is on'],
    ['second-step-off', 'The second step of your account is off'],
    ['passkey-added', 'A passkey was added to your account'],
    ['passkey-removed', 'A passkey was removed from your account'],
    ['passkey-copied', 'One of your passkeys was refused'],
    ['totp-added', 'An authenticator app was set up for your account'],
    ['totp-removed', 'The authenticator app was removed from your account'],
    ['recovery-codes-made', 'New recovery codes were made for your account'],
    ['recovery-code-used', 'A recovery code was used on your account'],
    ['data-exported', 'Your data was downloaded'],
    ['ended-by-us', 'We logged you out everywhere'],
  ] as const)('of %s says what, when and what to do', async (kind, subject) => {
    const customer = await aCustomer(shop)
    const mail = await mailOf(customer, kind)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toMatch(/When: \d\d\/\d\d\/\d{4} \d\d:\d\d \(UK time\)/)
    expect(mail.text).toContain(`${shop.url}/forgot`)
    if (kind !== 'ended-by-us') expect(mail.text).toContain(`${shop.url}/profile/security`)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, '')).toHaveLength(1)
  })

  test('says from which browser and network', async () => {
    const { email } = await aCustomer(shop)
    await logIn(email, PASSWORD, { 'user-agent': FIREFOX })
    const { text, subject } = await mailbox(shop).latest(email, '')
    expect(subject).toBe('New log-in to your account')
    expect(text).toContain('Browser: Firefox on Linux\nNetwork: 127.0.0.0/24')
  })

  test('goes to the address that the account had then, which is forgotten afterwards', async () => {
    const customer = await aCustomer(shop)
    const thief = uniqueEmail('thief')
    await shop.db.transaction().execute(async (trx) => {
      await keepEvent(trx, customer.id, 'second-step-off')
      await trx.updateTable('customers').set({ email: thief }).where('id', '=', customer.id).execute()
    })
    await mailbox(shop).latest(customer.email, 'second step')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(thief, '')).toEqual([])
    expect((await rowsOf(customer.id)).map(({ mail_to }) => mail_to)).toEqual([null])
  })

  test('is not sent again by a job that runs again', async () => {
    const customer = await aCustomer(shop)
    await mailOf(customer, 'passkey-added')
    await queueIsEmpty(shop)
    const [row] = await rowsOf(customer.id)
    const payload = JSON.stringify({ customerId: customer.id, eventId: row?.id })
    await sql`select graphile_worker.add_job('mail-security-change', ${payload}::json)`.execute(shop.db)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, '')).toHaveLength(1)
  })

  test('of an address that takes no mail is forgotten after three days', async () => {
    const { id } = await aCustomer(shop)
    await keepEvent(shop.db, id, 'asked-again')
    await sql`update security_events set mail_to = 'ada@example.org' where customer_id = ${id}`.execute(
      shop.db,
    )
    await age(id, '3 days 1 minute')
    await hurry(shop, 'tidy-up')
    await until(async () => (await rowsOf(id))[0]?.mail_to === null)
  })

  test('is not sent for each log-in: a browser, or its like from the same network, is known', async () => {
    const { id, email } = await aCustomer(shop)
    const first = await logIn(email, PASSWORD, { 'user-agent': FIREFOX })
    const [cookie] = first.headers.getSetCookie().filter((one) => one.includes('KNOWN-BROWSER'))
    await logIn(email, PASSWORD, { 'user-agent': FIREFOX })
    await logIn(email, PASSWORD, { 'user-agent': ANDROID, cookie: cookie?.split(';')[0] ?? '' })
    expect(await kindsOf(id)).toEqual(['new-browser', 'log-in', 'log-in'])
    await logIn(email, PASSWORD, { 'user-agent': ANDROID.replace('Android 15; Pixel 9', 'Tizen') })
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, 'New log-in')).toHaveLength(2)
  })

  test('of wrong codes after the right password comes with the fifth of an hour, once', async () => {
    const customer = await aCustomer(shop)
    for (let times = 0; times < 4; times++) await keepEvent(shop.db, customer.id, 'second-step-failed')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, '')).toEqual([])
    for (let times = 0; times < 4; times++) await keepEvent(shop.db, customer.id, 'second-step-failed')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'Someone has your password')).toHaveLength(1)
  })
})
