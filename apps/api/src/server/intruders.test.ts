import { randomUUID } from 'node:crypto'
import type { Json, Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { logOutEverywhere } from '#desk/customers/guard-account.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import { anAuthenticator, answers, aPasskey, beginPasskey, makes } from '#testing/authenticator.ts'
import { aCustomer, aSession, PASSWORD, type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import { askForEmail, changeEmail, confirmEmail, confirmToken, undoEmail } from '#testing/email-changes.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aNode } from '#testing/nodes.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { aGuarded, ageFactors, beginApp, codeOf, confirmApp } from '#testing/second-step.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout, withdrawalsOf } from '#testing/withdrawals.ts'

const shop = shopOfFile()
const NEW = 'a robin on the gate 17'

type Owner = Pick<TestCustomer, 'id'>

const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })
const logIn = (username: string, password = PASSWORD) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const rowOf = ({ id }: Owner) =>
  shop.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const prove = async (token: string): Promise<string> =>
  (await shop.call('POST', '/api/v1/user/sessions/proof', { token, body: { password: PASSWORD } })).body
    .access_token

/** What a call comes to that was allowed by its session, where that is ended before the call has done anything. */
const whileShutOut = async ({ id }: Owner, act: () => Promise<Reply>): Promise<Reply> => {
  const { reply } = await shop.db.transaction().execute(async (trx) => {
    await sql`select from customers where id = ${id} for update`.execute(trx)
    const reply = act()
    await until(() => areWaiting(shop, 1))
    await sql`delete from sessions where customer_id = ${id}`.execute(trx)
    return { reply }
  })
  return reply
}

describe('an intruder who asked for another email', () => {
  const asked = async () => {
    const owner = await aCustomer(shop)
    const intruder = await aSession(shop, owner.id)
    const email = uniqueEmail('intruder')
    await askForEmail(shop, intruder, email)
    return { owner, intruder, link: await confirmToken(shop, email) }
  }
  const expectInVain = async (owner: TestCustomer, link: string) => {
    expectProblem(await confirmEmail(shop, link), 400)
    expect((await rowOf(owner)).email).toBe(owner.email)
  }

  test('gets nothing of it once the owner has ended all other sessions', async () => {
    const { owner, link } = await asked()
    await shop.call('DELETE', '/api/v1/user/sessions', { token: owner.token })
    await expectInVain(owner, link)
  })

  test('nor once their session was ended by its name', async () => {
    const { owner, intruder, link } = await asked()
    const listed = (await shop.call('GET', '/api/v1/user/sessions', { token: intruder })).body as Json[]
    const id = listed.find(({ isCurrent }) => isCurrent)?._id
    await shop.call('DELETE', `/api/v1/user/sessions/${id}`, { token: owner.token })
    await expectInVain(owner, link)
  })

  test('nor once an operator has ended every session', async () => {
    const { owner, link } = await asked()
    await logOutEverywhere(shop, owner.id, { newPassword: true })
    await expectInVain(owner, link)
  })
})

describe('an intruder whose session ends while a call of theirs is under way', () => {
  test('has asked for no other email', async () => {
    const owner = await aCustomer(shop)
    const reply = await whileShutOut(owner, () => askForEmail(shop, owner.token, uniqueEmail()))
    expectProblem(reply, 401)
    const rows = await shop.db.selectFrom('email_changes').where('customer_id', '=', owner.id).execute()
    expect(rows).toEqual([])
  })

  test('has set up no authenticator app', async () => {
    const owner = await aCustomer(shop)
    const secret = await beginApp(shop, owner.token)
    const reply = await whileShutOut(owner, () => confirmApp(shop, owner.token, codeOf(secret)))
    expectProblem(reply, 401)
    expect((await rowOf(owner)).second_step_at).toBeNull()
  })

  test('has neither removed the app, nor turned the second step off, nor made new codes', async () => {
    for (const [method, path, body] of [
      ['DELETE', 'totp', undefined],
      ['PUT', 'second-step', { isOn: false }],
      ['POST', 'second-step/recovery-codes', undefined],
    ] as const) {
      const owner = await aGuarded(shop)
      const reply = await whileShutOut(owner, () =>
        shop.call(method, `/api/v1/user/${path}`, { token: owner.token, ...(body ? { body } : {}) }),
      )
      expectProblem(reply, 401)
      expect((await rowOf(owner)).second_step_at).not.toBeNull()
    }
  })

  test('has not turned the second step on', async () => {
    const owner = await aCustomer(shop)
    await aPasskey(shop, owner)
    const reply = await whileShutOut(owner, () =>
      shop.call('PUT', '/api/v1/user/second-step', { token: owner.token, body: { isOn: true } }),
    )
    expectProblem(reply, 401)
    expect((await rowOf(owner)).second_step_at).toBeNull()
  })

  test('has removed no passkey', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    const reply = await whileShutOut(owner, () =>
      shop.call('DELETE', `/api/v1/user/passkeys/${passkeyId}`, { token: owner.token }),
    )
    expectProblem(reply, 401)
  })

  test('has got no new keys, here or elsewhere', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const elsewhere = await aNode(shop)
    const bought = await connectionsOf(shop, paymentId)
    const path = `/api/v1/connections/${bought[0]?.id}`
    for (const [call, body] of [
      ['keys', {}],
      ['location', { location: elsewhere.node.id }],
    ] as const) {
      const token = await aSession(shop, customer.id)
      expectProblem(
        await whileShutOut(customer, () => shop.call('POST', `${path}/${call}`, { token, body })),
        401,
      )
    }
    expect(await connectionsOf(shop, paymentId)).toEqual(bought)
  })

  test('has withdrawn nothing', async () => {
    const owner = await aPartnerWith(shop, 50_000)
    const reply = await whileShutOut(owner, () => requestPayout(shop, owner, aWithdrawal()))
    expectProblem(reply, 401)
    expect(await withdrawalsOf(shop, { token: await aSession(shop, owner.id) })).toEqual([])
  })

  test('adds passkeys as fast as can be, and does not keep the owner from a new password', async () => {
    const owner = await aCustomer(shop)
    const intruder = await aSession(shop, owner.id)
    const made = await Promise.all(
      Array.from({ length: 8 }, async () =>
        makes(shop, anAuthenticator(), (await beginPasskey(shop, { token: intruder })).body),
      ),
    )
    const replies = await Promise.all([
      shop.call('POST', '/api/v1/user/password', {
        token: owner.token,
        body: { password: PASSWORD, newPassword: NEW },
      }),
      ...made.map(async (answer, i) => {
        await new Promise((resolve) => setTimeout(resolve, 40 + 8 * i))
        return shop.call('POST', '/api/v1/user/passkeys', { token: intruder, body: { ...answer, name: '' } })
      }),
    ])
    expect(replies[0]?.status).toBe(200)
    for (const { status } of replies.slice(1)) expect([201, 401, 409]).toContain(status)
  })
})

describe('an intruder who knows the password, when the owner turns the second step on', () => {
  test('is out, also by a log-in that was under way', async () => {
    const owner = await aCustomer(shop)
    const intruder = (await logIn(owner.email)).body.access_token
    expect((await profile(intruder)).status).toBe(200)
    const secret = await beginApp(shop, owner.token)
    const confirmed = confirmApp(shop, owner.token, codeOf(secret))
    const during = await Promise.all(Array.from({ length: 12 }, () => logIn(owner.email)))
    expect((await confirmed).status).toBe(200)
    expectProblem(await profile(intruder), 401)
    for (const { body } of during) if (body.access_token) expectProblem(await profile(body.access_token), 401)
    expect((await profile(owner.token)).status).toBe(200)
  })

  test('starts no session by what was checked before', async () => {
    const owner = await aCustomer(shop)
    const { reply } = await shop.db.transaction().execute(async (trx) => {
      await sql`update customers set second_step_at = now() where id = ${owner.id}`.execute(trx)
      const reply = logIn(owner.email)
      await until(() => areWaiting(shop, 1))
      return { reply }
    })
    const { body } = await reply
    expect(body.access_token).toBeUndefined()
  })

  test('nor by an app’s secret that they were shown before the owner proved who they are', async () => {
    const owner = await aCustomer(shop)
    const shown = await beginApp(shop, owner.token)
    const token = await prove(owner.token)
    expect(await beginApp(shop, token)).not.toBe(shown)
  })
})

describe('an intruder who has said that the second step is lost', () => {
  test('waits in vain once the owner has shown it within a session', async () => {
    const owner = await aGuarded(shop)
    const { body } = await logIn(owner.email)
    await shop.call('POST', '/api/v1/user/login/way-back', { body: { ticket: body.secondStep.ticket } })
    expect((await rowOf(owner)).second_step_ends_at).not.toBeNull()
    await shop.call('POST', '/api/v1/user/sessions/proof', {
      token: owner.token,
      body: { code: codeOf(owner.secret) },
    })
    expect((await rowOf(owner)).second_step_ends_at).toBeNull()
  })
})

describe('an intruder with a passkey', () => {
  test('gets no session by an answer that was given just before it was removed', async () => {
    const owner = await aCustomer(shop)
    const passkey = await aPasskey(shop, owner)
    const { body } = await shop.call('POST', '/api/v1/user/login/passkey/options')
    const answer = answers(shop, passkey, body)
    const { reply } = await shop.db.transaction().execute(async (trx) => {
      await sql`select from customers where id = ${owner.id} for update`.execute(trx)
      const reply = shop.call('POST', '/api/v1/user/login/passkey', { body: answer })
      await until(() => areWaiting(shop, 1))
      await sql`delete from passkeys where customer_id = ${owner.id}`.execute(trx)
      return { reply }
    })
    expectProblem(await reply, 401)
  })
})

describe('an intruder who has only the mailbox', () => {
  const COOKIE = /KNOWN-BROWSER/

  test('is no known browser of an account with a second step by a link of its email', async () => {
    const owner = await aGuarded(shop)
    const email = uniqueEmail('grace')
    await askForEmail(shop, owner.token, email)
    const confirmed = await confirmEmail(shop, await confirmToken(shop, email))
    expect(confirmed.status).toBe(200)
    expect(confirmed.headers.get('set-cookie') ?? '').not.toMatch(COOKIE)
    const other = await aGuarded(shop)
    await ageFactors(shop, other.id)
    const { undo } = await changeEmail(shop, other)
    const undone = await undoEmail(shop, undo, NEW)
    expect(undone.status).toBe(200)
    expect(undone.headers.get('set-cookie') ?? '').not.toMatch(COOKIE)
  })

  test('does not get past the second step by a link that confirms what is confirmed', async () => {
    const owner = await aGuarded(shop)
    const token = newToken()
    // As a job leaves it that read the account just before it was confirmed.
    await shop.db
      .insertInto('account_links')
      .values({
        token_hash: hashToken(token),
        customer_id: owner.id,
        purpose: 'confirm',
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .execute()
    expectProblem(await shop.call('POST', '/api/v1/user/links', { body: { kind: 'confirm', token } }), 400)
    for (const body of [{ newPassword: NEW }, { password: PASSWORD }])
      expectProblem(await shop.call('POST', `/api/v1/user/confirm/${token}`, { body }), 400)
    expect((await profile(owner.token)).status).toBe(200)
  })
})

describe('a customer who logs in without end', () => {
  test('is shown the hundred sessions that were used last, and ends them all', async () => {
    const owner = await aCustomer(shop)
    await sql`insert into sessions (token_hash, customer_id, expires_at, last_used_at)
      select decode(md5(n::text || ${randomUUID()}), 'hex'), ${owner.id}, now() + interval '1 day', now() - interval '1 hour'
      from generate_series(1, 300) n`.execute(shop.db)
    const list = async () => (await shop.call('GET', '/api/v1/user/sessions', { token: owner.token })).body
    expect(await list()).toHaveLength(100)
    await shop.call('DELETE', '/api/v1/user/sessions', { token: owner.token })
    expect(await list()).toHaveLength(1)
  })
})
