import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSecondStep } from '#people/second-step/challenges.ts'
import { keepEvent } from '#people/security-events/security-events.ts'
import { aCustomer, aSession, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { aGuard } from '#testing/guards.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const customer = (...args: string[]) => runOps(opsSettings(shop), 'customer', ...args)
const logIn = (username: string, password = PASSWORD) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })

describe('ops customer activity', () => {
  test('shows how the account is guarded, where it is logged in and what happened, and no secret', async () => {
    const { id, email } = await aCustomer(shop)
    const secrets = await aGuard(shop, id)
    await keepEvent(shop.db, id, 'passkey-added')
    const shown = await customer('activity', email)
    expect(shown.code, shown.err).toBe(0)
    expect(shown.out).toMatch(
      /^Second step +since \d\d\/\d\d\/\d{4} \d\d:\d\d; said to be lost, ends \d\d\//m,
    )
    expect(shown.out).toMatch(/^Authenticator app +since /m)
    expect(shown.out).toMatch(/^Recovery codes +1 unused$/m)
    expect(shown.out).toMatch(/^Yubi on the ring +\d\d\/\d\d/m)
    expect(shown.out).toMatch(/ A passkey was added +1$/m)
    const told = await customer('activity', id, '--json')
    expect(told.json).toMatchObject({
      customerId: id,
      recoveryCodes: 1,
      passkeys: [{ name: 'Yubi on the ring', isSynced: true, lastUsedAt: null }],
      sessions: [{ browser: null }],
      events: [{ kind: 'passkey-added', times: 1 }],
      hasMore: false,
    })
    for (const [what, secret] of Object.entries(secrets))
      for (const { out } of [shown, told]) expect(out.includes(secret), what).toBe(false)
  })

  test('says when there is more, and of an account that nothing happened to, that there is none', async () => {
    const { id, email } = await aCustomer(shop)
    expect((await customer('activity', email)).out).toContain('Activity of the last 90 days: none')
    for (let times = 0; times < 3; times++) await keepEvent(shop.db, id, 'asked-again')
    const { json } = await customer('activity', email, '--limit', '2', '--json')
    expect([json.events.length, json.hasMore]).toEqual([2, true])
  })

  test('shows nothing of anybody else, and is recorded as a look at personal data', async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    await keepEvent(shop.db, ada.id, 'passkey-added')
    expect((await customer('activity', eve.email, '--json')).json.events).toEqual([])
    const { rows } = await sql<{ command: string; outcome: string }>`
      select command, outcome from operator_actions where subject = ${eve.id}`.execute(shop.db)
    expect(rows).toEqual([{ command: 'customer activity', outcome: 'done' }])
  })

  test('refuses an account that does not exist', async () => {
    const { code, err } = await customer('activity', uniqueEmail('nobody'))
    expect([code, err]).toEqual([1, expect.stringContaining('No account has this email address.')])
  })
})

describe('ops customer log-out', () => {
  test('ends sessions, log-ins under way and links of this account alone, and mails its owner', async () => {
    const { customer: ada, paymentId } = await aPurchase(shop)
    const { token: other } = await aCustomer(shop)
    const second = await aSession(shop, ada.id)
    const [connection] = await connectionsOf(shop, paymentId)
    await shop.call('POST', `/api/v1/connections/${connection?.id}/link`, { token: ada.token })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: ada.email } })
    await queueIsEmpty(shop)
    const row = await shop.db
      .selectFrom('customers')
      .select(['id', 'password_hash'])
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()
    await createSecondStep(shop.db, row)
    expect((await profile(second)).status).toBe(200)
    const { code, out, err } = await customer('log-out', ada.email, '--yes')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe('2 sessions ended, and all links. The customer gets a mail that says so.\n')
    for (const token of [ada.token, second]) expectProblem(await profile(token), 401)
    expect((await profile(other)).status).toBe(200)
    const { rows } = await sql`
      select token_hash from auth_challenges where customer_id = ${ada.id}
      union all select token_hash from account_links where customer_id = ${ada.id} and used_at is null
      union all select link_hash from connections where customer_id = ${ada.id} and link_hash is not null`.execute(
      shop.db,
    )
    expect(rows).toEqual([])
    await mailbox(shop).latest(ada.email, 'We logged you out everywhere')
    expect((await logIn(ada.email)).status).toBe(200)
    expect((await customer('activity', ada.email)).out).toContain('We ended every session of the account')
  })

  test('makes its owner choose a new password, and ends the second step, where that is wanted', async () => {
    const { id, email } = await aCustomer(shop)
    await aGuard(shop, id)
    const { code } = await customer('log-out', email, '--yes', '--new-password')
    expect(code).toBe(0)
    expectProblem(await logIn(email), 401)
    const kept = (await customer('activity', email, '--json')).json
    expect([kept.passkeys.length, kept.secondStepAt !== null]).toEqual([1, true])
    const { json } = await customer('log-out', email, '--yes', '--without-second-step', '--json')
    expect(json).toEqual({ outcome: 'logged-out', customerId: id, sessions: 0 })
    expect((await customer('activity', email, '--json')).json).toMatchObject({
      secondStepAt: null,
      authenticatorAppAt: null,
      recoveryCodes: 0,
      passkeys: [],
    })
    await mailbox(shop).latest(email, 'second step of your account is off')
  })

  test('asks first, and does nothing where nobody answers', async () => {
    const { email, token } = await aCustomer(shop)
    const { code, err } = await customer('log-out', email)
    expect([code, err]).toEqual([1, expect.stringContaining('add --yes')])
    expect((await profile(token)).status).toBe(200)
  })
})
