import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer, aSession } from '#testing/customers.ts'
import {
  aDeadPasskey,
  aGuarded,
  answer,
  aTicket,
  beginApp,
  codeOf,
  confirmApp,
  eventsOf,
  leaveAlone,
  waitAStep,
  wrongCodeOf,
} from '#testing/second-step.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const begin = (token?: string) => shop.call('POST', '/api/v1/user/totp', { token })
const remove = (token: string) => shop.call('DELETE', '/api/v1/user/totp', { token })
const security = async (token: string) => (await shop.call('GET', '/api/v1/user/security', { token })).body
const switchTo = (token: string, isOn: unknown) =>
  shop.call('PUT', '/api/v1/user/second-step', { token, body: { isOn } })
const newCodes = (token: string) => shop.call('POST', '/api/v1/user/second-step/recovery-codes', { token })
const logIn = (email: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username: email, password } })

describe('POST /api/v1/user/totp', () => {
  test('gives a secret and what the app reads it from, and changes nothing yet', async () => {
    const { email, password, token } = await aCustomer(shop)
    const { body } = await begin(token)
    expect(body.uri).toContain(`secret=${body.secret}`)
    expect(body.uri).toContain(`Hedgerow:${encodeURIComponent(email)}`)
    expect(await security(token)).toEqual({
      secondStepAt: null,
      secondStepEndsAt: null,
      totpAt: null,
      passkeys: [],
      recoveryCodes: 0,
    })
    expect((await logIn(email, password)).body.access_token).toBeTruthy()
  })

  test('gives a page that is loaded again, or two tabs, the same secret', async () => {
    const { token } = await aCustomer(shop)
    const given = await Promise.all([begin(token), begin(token), begin(token)])
    expect(new Set(given.map(({ body }) => body.secret)).size).toBe(1)
  })

  test('gives another session another secret, and takes the first from it', async () => {
    const { id, token } = await aCustomer(shop)
    const second = await aSession(shop, id)
    const ofStranger = await beginApp(shop, token)
    const ofOwner = await beginApp(shop, second)
    expect(ofOwner).not.toBe(ofStranger)
    expectProblem(await confirmApp(shop, token, codeOf(ofOwner)), 409)
    expectProblem(await confirmApp(shop, token, codeOf(ofStranger)), 409)
    expect((await confirmApp(shop, second, codeOf(ofOwner))).status).toBe(200)
  })

  test('keeps the secret sealed, and each bound to its account', async () => {
    const [ada, eve] = [await aGuarded(shop), await aGuarded(shop)]
    const rows = await shop.db.selectFrom('totp_secrets').selectAll().execute()
    for (const { secret_encrypted } of rows)
      expect(String(secret_encrypted?.toString('latin1'))).not.toContain(ada.secret)
    const ofEve = rows.find(({ customer_id }) => customer_id === eve.id)?.secret_encrypted
    await shop.db
      .updateTable('totp_secrets')
      .set({ secret_encrypted: ofEve ?? null })
      .where('customer_id', '=', ada.id)
      .execute()
    const refused = await answer(shop, await aTicket(shop, ada), { code: codeOf(eve.secret) })
    expect(expectProblem(refused, 401).body.detail).toBe(OUR_MESSAGES.codeUnreadable)
  })

  test('asks again who it is, as does every other change', async () => {
    const { id, token } = await aGuarded(shop)
    await leaveAlone(shop, id)
    const replies = [
      await begin(token),
      await confirmApp(shop, token, '123456'),
      await remove(token),
      await switchTo(token, false),
      await switchTo(token, true),
      await newCodes(token),
    ]
    for (const reply of replies) expect(expectProblem(reply, 403).body.code).toBe('ask-again')
    expect((await security(token)).totpAt).not.toBeNull()
  })

  test('is for who is logged in', async () => {
    expectProblem(await begin(), 401)
  })
})

describe('POST /api/v1/user/totp/confirm', () => {
  test('turns the second step on and shows ten recovery codes, without letters that look alike', async () => {
    const { id, token } = await aCustomer(shop)
    const { status, body } = await confirmApp(shop, token, codeOf(await beginApp(shop, token)))
    expect(status).toBe(200)
    expect(new Set(body.recoveryCodes).size).toBe(10)
    for (const code of body.recoveryCodes)
      expect(code).toMatch(/^(?:[A-HJKMNP-TV-Z2-9]{4}-){2}[A-HJKMNP-TV-Z2-9]{4}$/)
    expect(await security(token)).toMatchObject({
      secondStepAt: expect.any(String),
      totpAt: expect.any(String),
      recoveryCodes: 10,
    })
    expect(await eventsOf(shop, id)).toEqual(['totp-added', 'second-step-on'])
    const held = await shop.db
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('customer_id', '=', id)
      .execute()
    for (const { code_hash } of held) expect(code_hash).toMatch(/^\$argon2id\$/)
  })

  test.each([
    ['with spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    [
      'in the digits of a Japanese keyboard',
      (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ],
  ])('takes a code %s', async (_, typed) => {
    const { token } = await aCustomer(shop)
    expect((await confirmApp(shop, token, typed(codeOf(await beginApp(shop, token))))).status).toBe(200)
  })

  test('leaves the set-up as it is after a wrong code', async () => {
    const { token } = await aCustomer(shop)
    const secret = await beginApp(shop, token)
    const reply = expectProblem(await confirmApp(shop, token, wrongCodeOf(secret)), 422)
    expect(messageFor(reply, 'code')).toBe('This code is not right')
    expect((await confirmApp(shop, token, codeOf(secret))).status).toBe(200)
  })

  test.each([
    [6, /about 3 minutes fast/],
    [-5, /about 3 minutes slow/],
    [-3, /about 2 minutes slow/],
  ])('tells whose clock is %i steps off by how much', async (steps, message) => {
    const { token } = await aCustomer(shop)
    const secret = await beginApp(shop, token)
    const reply = expectProblem(await confirmApp(shop, token, codeOf(secret, steps)), 422)
    expect(messageFor(reply, 'code')).toMatch(message)
    expect((await security(token)).totpAt).toBeNull()
  })

  test.each(['', '1'.repeat(41), 123456, null])('refuses %j at its field', async (code) => {
    const { token } = await aCustomer(shop)
    await beginApp(shop, token)
    expect(messageFor(expectProblem(await confirmApp(shop, token, code), 422), 'code')).toBeTruthy()
  })

  test('without a set-up, or after 15 minutes, says that it is over', async () => {
    const { id, token } = await aCustomer(shop)
    expectProblem(await confirmApp(shop, token, '123456'), 409)
    const secret = await beginApp(shop, token)
    await shop.db
      .updateTable('totp_secrets')
      .set({ pending_until: new Date(Date.now() - 1_000) })
      .where('customer_id', '=', id)
      .execute()
    expectProblem(await confirmApp(shop, token, codeOf(secret)), 409)
    expect(await beginApp(shop, token)).not.toBe(secret)
  })

  test('twice at once makes one set of codes', async () => {
    const { id, token } = await aCustomer(shop)
    const code = codeOf(await beginApp(shop, token))
    const replies = await Promise.all([confirmApp(shop, token, code), confirmApp(shop, token, code)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await eventsOf(shop, id)).toEqual(['totp-added', 'second-step-on'])
    expect((await security(token)).recoveryCodes).toBe(10)
  })

  test('puts a new app in the place of the old, which works until then, and leaves the codes', async () => {
    const guarded = await aGuarded(shop)
    const secret = await beginApp(shop, guarded.token)
    expect((await answer(shop, await aTicket(shop, guarded), { code: codeOf(guarded.secret) })).status).toBe(
      200,
    )
    const { body } = await confirmApp(shop, guarded.token, codeOf(secret))
    expect(body).toEqual({ recoveryCodes: null })
    await waitAStep(shop, guarded.id)
    const ticket = await aTicket(shop, guarded)
    expectProblem(await answer(shop, ticket, { code: codeOf(guarded.secret, 1) }), 401)
    expect((await answer(shop, ticket, { code: codeOf(secret, 1) })).status).toBe(200)
    expect((await security(guarded.token)).recoveryCodes).toBe(10)
  })

  test('takes the code that it was shown no second time', async () => {
    const customer = await aCustomer(shop)
    const code = codeOf(await beginApp(shop, customer.token))
    await confirmApp(shop, customer.token, code)
    const reply = expectProblem(await answer(shop, await aTicket(shop, customer), { code }), 401)
    expect(reply.body.detail).toMatch(/has been used/)
  })
})

describe('DELETE /api/v1/user/totp', () => {
  test('ends the second step with the last that could answer, and its codes', async () => {
    const guarded = await aGuarded(shop)
    expect((await remove(guarded.token)).status).toBe(200)
    expect(await security(guarded.token)).toMatchObject({
      secondStepAt: null,
      totpAt: null,
      recoveryCodes: 0,
    })
    expect((await logIn(guarded.email, guarded.password)).body.access_token).toBeTruthy()
    expect(await eventsOf(shop, guarded.id)).toEqual(
      expect.arrayContaining(['totp-removed', 'second-step-off']),
    )
  })

  test('leaves it on where there is a passkey', async () => {
    const guarded = await aGuarded(shop)
    await aDeadPasskey(shop, guarded.id)
    await remove(guarded.token)
    expect(await security(guarded.token)).toMatchObject({ totpAt: null, recoveryCodes: 10 })
    const { body } = await logIn(guarded.email, guarded.password)
    expect(body.secondStep).toMatchObject({ hasApp: false, passkey: { ticket: body.secondStep.ticket } })
    expect((await answer(shop, body.secondStep.ticket, { code: guarded.recoveryCodes[0] })).status).toBe(200)
  })

  test('without an app does nothing, and does not reveal it', async () => {
    const { id, token } = await aCustomer(shop)
    expect((await remove(token)).status).toBe(200)
    expect(await eventsOf(shop, id)).toEqual([])
  })

  test('leaves the app of another alone', async () => {
    const [ada, eve] = [await aGuarded(shop), await aCustomer(shop)]
    await remove(eve.token)
    expect((await security(ada.token)).totpAt).not.toBeNull()
  })
})

describe('PUT /api/v1/user/second-step', () => {
  test('is refused without an app or a passkey', async () => {
    const { token } = await aCustomer(shop)
    expectProblem(await switchTo(token, true), 409)
    expect((await security(token)).secondStepAt).toBeNull()
  })

  test('asks for a passkey after the password from now on, and gives codes, once', async () => {
    const customer = await aCustomer(shop)
    await aDeadPasskey(shop, customer.id)
    const replies = await Promise.all([switchTo(customer.token, true), switchTo(customer.token, true)])
    const given = replies.flatMap(({ body }) => (body.recoveryCodes ? [body.recoveryCodes] : []))
    expect(given).toHaveLength(1)
    expect(await eventsOf(shop, customer.id)).toEqual(['second-step-on'])
    expect((await logIn(customer.email, customer.password)).body.secondStep.passkey).toBeTruthy()
  })

  test('off: the password is enough, app and codes are gone, and log-ins that wait begin anew', async () => {
    const guarded = await aGuarded(shop)
    await aDeadPasskey(shop, guarded.id)
    const ticket = await aTicket(shop, guarded)
    expect((await switchTo(guarded.token, false)).body).toEqual({ recoveryCodes: null })
    const reply = expectProblem(await answer(shop, ticket, { code: codeOf(guarded.secret) }), 401)
    expect(reply.body.code).toBe('second-step-over')
    const now = await security(guarded.token)
    expect(now).toMatchObject({ secondStepAt: null, totpAt: null, recoveryCodes: 0 })
    expect(now.passkeys).toHaveLength(1)
    expect((await logIn(guarded.email, guarded.password)).body.access_token).toBeTruthy()
  })
})

describe('POST /api/v1/user/second-step/recovery-codes', () => {
  test('puts ten new ones in the place of the old', async () => {
    const guarded = await aGuarded(shop)
    const { status, body } = await newCodes(guarded.token)
    expect(status).toBe(201)
    expect(body.recoveryCodes).toHaveLength(10)
    const ticket = await aTicket(shop, guarded)
    expectProblem(await answer(shop, ticket, { code: guarded.recoveryCodes[0] }), 401)
    expect((await answer(shop, ticket, { code: body.recoveryCodes[0] })).status).toBe(200)
    expect(await eventsOf(shop, guarded.id)).toContain('recovery-codes-made')
  })

  test('twice at once leaves the set of one', async () => {
    const { token } = await aGuarded(shop)
    await Promise.all([newCodes(token), newCodes(token)])
    expect((await security(token)).recoveryCodes).toBe(10)
  })

  test('is refused without a second step', async () => {
    const { token } = await aCustomer(shop)
    expectProblem(await newCodes(token), 409)
  })
})
