import { randomUUID } from 'node:crypto'
import type { Json } from '@hedgerow/testing/call'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '#people/passwords/passwords.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import { cancel, isOver, preview } from '#testing/cancellations.ts'
import {
  aCustomer,
  aSession,
  eraseAccount,
  letProofAge,
  PASSWORD,
  type TestCustomer,
} from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aNode } from '#testing/nodes.ts'
import { aPurchase } from '#testing/payments.ts'
import { anOwner } from '#testing/renewals.ts'
import { openSecondFront, shopOfFile, startTestShop } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout, withdrawalsOf } from '#testing/withdrawals.ts'

const shop = shopOfFile()

const NEW_PASSWORD = 'another robin in the hedge'
const CODE = 'ABCD-EFGH-JKMN'
const SECRET = hashPassword(CODE.replaceAll('-', ''))

type Asking = { token: string }

const prove = ({ token }: Asking, proof: object = { password: PASSWORD }, call = shop.call) =>
  call('POST', '/api/v1/user/sessions/proof', { token, body: proof })
const optionsOf = ({ token }: Asking) => shop.call('POST', '/api/v1/user/sessions/proof/options', { token })
const statusOf = async ({ token }: Asking, call = shop.call) =>
  (await call('GET', '/api/v1/user/profile', { token })).status
const changePassword = ({ token }: Asking, password = PASSWORD) =>
  shop.call('POST', '/api/v1/user/password', { token, body: { password, newPassword: NEW_PASSWORD } })
const download = ({ token }: Asking) => shop.call('GET', '/api/v1/user/data', { token })

const expectAsked = (reply: Parameters<typeof expectProblem>[0]) =>
  expect(expectProblem(reply, 403).body.code).toBe('ask-again')

const eventsOf = async ({ token }: Asking): Promise<Json[]> =>
  (await shop.call('GET', '/api/v1/user/security/events', { token })).body.events

const kindsOf = async (asking: Asking) => (await eventsOf(asking)).map(({ kind, times }) => [kind, times])

/** The account opens with a code, too, from now on: one that is printed. */
const takeSecondStep = async ({ id }: Pick<TestCustomer, 'id'>) => {
  await sql`update customers set second_step_at = now() where id = ${id}`.execute(shop.db)
  await sql`insert into recovery_codes (id, customer_id, code_hash)
    values (gen_random_uuid(), ${id}, ${await SECRET})`.execute(shop.db)
}

describe('POST /api/v1/user/sessions/proof', () => {
  test('with the password answers a new token of the same session, and ends the old one in every process', async () => {
    const other = await openSecondFront(shop)
    const customer = await aCustomer(shop)
    const [before] = (await shop.call('GET', '/api/v1/user/sessions', { token: customer.token })).body
    expect(await statusOf(customer, other.call)).toBe(200)
    const { status, body } = await prove(customer)
    expect(status).toBe(200)
    expect(body.access_token).not.toBe(customer.token)
    const renewed = { token: body.access_token }
    expect([await statusOf(renewed), await statusOf(renewed, other.call)]).toEqual([200, 200])
    expect(await statusOf(customer)).toBe(401)
    await until(async () => (await statusOf(customer, other.call)) === 401)
    const after = (await shop.call('GET', '/api/v1/user/sessions', renewed)).body
    expect(after).toEqual([before])
    expect(await kindsOf(renewed)).toEqual([['asked-again', 1]])
  })

  test('moves the session’s end no further', async () => {
    const customer = await aCustomer(shop)
    const endOf = async (token: string) =>
      (
        await shop.db
          .selectFrom('sessions')
          .select('expires_at')
          .where('token_hash', '=', hashToken(token))
          .executeTakeFirst()
      )?.expires_at
    const end = await endOf(customer.token)
    expect(await endOf((await prove(customer)).body.access_token)).toEqual(end)
  })

  test('refuses a wrong password at its field, tells of it, and the session goes on', async () => {
    const customer = await aCustomer(shop)
    await letProofAge(shop, customer)
    for (const password of ['not it at all', PASSWORD.toUpperCase()]) {
      const wrong = expectProblem(await prove(customer, { password }), 422)
      expect(messageFor(wrong, 'password')).toBe('The password is wrong')
    }
    expect(await statusOf(customer)).toBe(200)
    expectAsked(await download(customer))
    expect(await kindsOf(customer)).toEqual([['ask-again-failed', 2]])
  })

  test.each([
    ['nothing', {}],
    ['two of them', { password: PASSWORD, code: '123456' }],
    ['no text', { password: { a: 1 } }],
    ['an empty one', { password: '' }],
    ['one of a megabyte', { password: 'a'.repeat(1_000_000) }],
  ])('refuses %s', async (_, proof) => {
    const customer = await aCustomer(shop)
    expect([400, 413, 422]).toContain((await prove(customer, proof)).status)
    expect(await statusOf(customer)).toBe(200)
  })

  test('takes another customer’s password for none', async () => {
    const customer = await aCustomer(shop)
    await sql`update customers set password_hash = ${await hashPassword(NEW_PASSWORD)}
      where id = ${customer.id}`.execute(shop.db)
    expectProblem(await prove(customer), 422)
    expect((await prove(customer, { password: NEW_PASSWORD })).status).toBe(200)
  })

  test('twice at once gives one new token', async () => {
    const customer = await aCustomer(shop)
    const replies = await Promise.all([prove(customer), prove(customer)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
    const token = replies.find(({ status }) => status === 200)?.body.access_token
    expect(await statusOf({ token })).toBe(200)
    expect(await kindsOf({ token })).toEqual([['asked-again', 1]])
  })

  test('is for a session that lasts', async () => {
    const customer = await aCustomer(shop)
    expect(await statusOf(customer)).toBe(200)
    await sql`delete from sessions where customer_id = ${customer.id}`.execute(shop.db)
    expectProblem(await prove(customer), 401)
    expectProblem(await prove({ token: '' }), 401)
  })

  test('counts what is tried: a stolen session gets ten, and the owner’s still has its own', async () => {
    const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const owner = await aCustomer(own)
    const thief = { token: await aSession(own, owner.id) }
    for (let tries = 0; tries < 10; tries++)
      expectProblem(await prove(thief, { password: `guess ${tries}` }, own.call), 422)
    expectProblem(await prove(thief, { password: PASSWORD }, own.call), 429)
    expect((await prove(owner, { password: PASSWORD }, own.call)).status).toBe(200)
  })
})

describe('15 minutes after the last proof', () => {
  const guarded: [string, (customer: TestCustomer) => Promise<Parameters<typeof expectProblem>[0]>][] = [
    ['a withdrawal', (partner) => requestPayout(shop, partner, aWithdrawal())],
    ['all data', download],
    [
      'a link to a connection',
      async ({ token }) => {
        const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
        return shop.call('POST', `/api/v1/connections/${body.connections[0]._id}/link`, { token })
      },
    ],
    [
      'the address of a file',
      async ({ token }) => {
        const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
        return shop.call('POST', `/api/v1/connections/${body.connections[0]._id}/file-address`, { token })
      },
    ],
    [
      'new keys',
      async ({ token }) => {
        const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
        return shop.call('POST', `/api/v1/connections/${body.connections[0]._id}/keys`, { token })
      },
    ],
  ]
  guarded.push([
    'another location',
    async ({ token }) => {
      const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
      const path = `/api/v1/connections/${body.connections[0]._id}`
      const location = (await aNode(shop)).node.id
      return shop.call('POST', `${path}/location`, { token, body: { location } })
    },
  ])
  guarded.push([
    'the end of the other sessions',
    async ({ id, token }) => {
      await aSession(shop, id)
      return shop.call('DELETE', '/api/v1/user/sessions', { token })
    },
  ])
  const EVENTS = [
    'withdrawal-asked',
    'data-exported',
    'link-made',
    'link-made',
    'new-keys',
    'new-keys',
    'sessions-ended',
  ]

  test.each(guarded.map(([name, ask], at) => [name, ask, EVENTS[at]] as const))(
    '%s is asked for again, and then given',
    async (name, ask, event) => {
      const customer =
        name === 'a withdrawal' ? await aPartnerWith(shop, 50_000) : (await aPurchase(shop)).customer
      await letProofAge(shop, customer)
      expectAsked(await ask(customer))
      const { access_token: token } = (await prove(customer)).body
      expect(await kindsOf({ token })).toEqual([['asked-again', 1]])
      expect((await ask({ ...customer, token })).status).toBeLessThan(300)
      expect(await kindsOf({ token })).toEqual([
        [event, 1],
        ['asked-again', 1],
      ])
    },
  )

  test('one of the other sessions is ended only for who proves it', async () => {
    const customer = await aCustomer(shop)
    const other = await aSession(shop, customer.id)
    const { body } = await shop.call('GET', '/api/v1/user/sessions', { token: customer.token })
    const named = body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const end = (token: string) => shop.call('DELETE', `/api/v1/user/sessions/${named._id}`, { token })
    await letProofAge(shop, customer)
    expectAsked(await end(customer.token))
    expect((await shop.call('GET', '/api/v1/user/profile', { token: other })).status).toBe(200)
    const { access_token } = (await prove(customer)).body
    expect((await end(access_token)).status).toBe(200)
    expectProblem(await shop.call('GET', '/api/v1/user/profile', { token: other }), 401)
  })

  test('and not a minute sooner', async () => {
    const customer = await aCustomer(shop)
    await letProofAge(shop, customer, 14)
    expect((await download(customer)).status).toBe(200)
  })

  test('what was asked for in vain has done nothing', async () => {
    const partner = await aPartnerWith(shop, 50_000)
    await letProofAge(shop, partner)
    expectAsked(await requestPayout(shop, partner, aWithdrawal()))
    expect(await withdrawalsOf(shop, partner)).toEqual([])
    expect(await kindsOf(partner)).toEqual([])
  })

  test('a proof in one session is none for another', async () => {
    const customer = await aCustomer(shop)
    const thief = { token: await aSession(shop, customer.id) }
    await letProofAge(shop, thief)
    expect((await prove(customer)).status).toBe(200)
    expectAsked(await download(thief))
  })

  test('another customer’s connection answers like an unknown one, before anything is asked', async () => {
    const { customer: ada } = await aPurchase(shop)
    const eve = await aCustomer(shop)
    await letProofAge(shop, eve)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: ada.token })
    for (const what of ['link', 'keys']) {
      const path = `/api/v1/connections/${body.connections[0]._id}/${what}`
      expectProblem(await shop.call('POST', path, { token: eve.token }), 404)
      expectProblem(
        await shop.call('POST', `/api/v1/connections/${randomUUID()}/${what}`, { token: eve.token }),
        404,
      )
    }
  })

  test('what carries the password is not asked for again', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letProofAge(shop, customer)
    expect((await preview(shop, customer, paymentId)).body.asksPassword).toBe(true)
    expect((await cancel(shop, customer, paymentId, { password: PASSWORD })).status).toBe(200)
    expect((await changePassword(customer)).status).toBe(200)
    expect((await eraseAccount(shop, customer, { password: NEW_PASSWORD })).status).toBe(200)
  })

  test('a wrong password there is mailed to the owner, too', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letProofAge(shop, customer)
    const password = 'not it at all'
    expectProblem(await cancel(shop, customer, paymentId, { password }), 422)
    expectProblem(await changePassword(customer, password), 422)
    expectProblem(await eraseAccount(shop, customer, { password }), 422)
    expect(await kindsOf(customer)).toEqual([['ask-again-failed', 3]])
  })
})

describe('with a second step', () => {
  test('the password alone proves nothing', async () => {
    const customer = await aCustomer(shop)
    expect((await optionsOf(customer)).body).toEqual({ email: customer.email, ways: ['password'] })
    await takeSecondStep(customer)
    expect((await optionsOf(customer)).body).toMatchObject({ ways: ['code'] })
    const refused = expectProblem(await prove(customer), 422)
    expect(messageFor(refused, 'password')).toMatch(/second step/)
    expect((await prove(customer, { code: CODE })).status).toBe(200)
  })

  test('a code proves nothing without one, even one that is left over', async () => {
    const customer = await aCustomer(shop)
    await takeSecondStep(customer)
    await sql`update customers set second_step_at = null where id = ${customer.id}`.execute(shop.db)
    expect(messageFor(expectProblem(await prove(customer, { code: CODE }), 422), 'code')).toBe(
      'This code is not right',
    )
  })

  test('a wrong code is named, and a used one is no proof', async () => {
    const customer = await aCustomer(shop)
    await takeSecondStep(customer)
    expectProblem(await prove(customer, { code: 'ZZZZ-ZZZZ-ZZZZ' }), 422)
    const { access_token: token } = (await prove(customer, { code: CODE.toLowerCase() })).body
    const used = expectProblem(await prove({ token }, { code: CODE }), 422)
    expect(messageFor(used, 'code')).toMatch(/has been used/)
  })

  test('a change of the password, erasing and cancelling ask again, whatever password they carry', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await takeSecondStep(customer)
    await letProofAge(shop, customer)
    expect((await preview(shop, customer, paymentId)).body.asksPassword).toBe(false)
    expectAsked(await changePassword(customer))
    expectAsked(await cancel(shop, customer, paymentId, { password: PASSWORD }))
    expectAsked(await eraseAccount(shop, customer))
    expect(await isOver(shop, paymentId)).toBe(false)
    const renewed = { ...customer, token: (await prove(customer, { code: CODE })).body.access_token }
    expect((await cancel(shop, renewed, paymentId)).status).toBe(200)
    expect((await changePassword(renewed)).status).toBe(200)
    expect((await eraseAccount(shop, renewed, { password: NEW_PASSWORD })).status).toBe(200)
  })

  test('that is over since, the password proves it again', async () => {
    const customer = await aCustomer(shop)
    await takeSecondStep(customer)
    await sql`update customers set second_step_ends_at = now() - interval '1 minute'
      where id = ${customer.id}`.execute(shop.db)
    expect((await optionsOf(customer)).body.ways).toEqual(['password'])
    expect((await prove(customer)).status).toBe(200)
  })
})

describe('a call with the old token while it is renewed', () => {
  /** Proves in the moment in which the call has found its session, and is held up by what it waits for. */
  const during = async (customer: TestCustomer, ask: () => Promise<Parameters<typeof expectProblem>[0]>) => {
    return shop.db.transaction().execute(async (trx) => {
      await sql`select from sessions where token_hash = ${hashToken(customer.token)} for update`.execute(trx)
      const renewed = prove(customer)
      await until(() => areWaiting(shop))
      const asked = ask()
      await until(() => areWaiting(shop, 2))
      return { renewed, asked }
    })
  }

  test('makes no link, and the new token makes it', async () => {
    const { customer } = await aPurchase(shop)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    const path = `/api/v1/connections/${body.connections[0]._id}/link`
    const { renewed, asked } = await during(customer, () =>
      shop.call('POST', path, { token: customer.token }),
    )
    const { access_token: token } = (await renewed).body
    expectProblem(await asked, 401)
    expect((await shop.call('POST', path, { token })).status).toBe(200)
  })

  test('does not end the session that has the new token, whether it ends the others or changes the password', async () => {
    const customer = await aCustomer(shop)
    const ends = await during(customer, () =>
      shop.call('DELETE', '/api/v1/user/sessions', { token: customer.token }),
    )
    const { access_token: token } = (await ends.renewed).body
    expectProblem(await ends.asked, 401)
    expect(await statusOf({ token })).toBe(200)
    const changes = await during({ ...customer, token }, () => changePassword({ token }))
    const { access_token: next } = (await changes.renewed).body
    expectProblem(await changes.asked, 401)
    expect(await statusOf({ token: next })).toBe(200)
    expect((await changePassword({ token: next })).status).toBe(200)
  })
})
