import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  type Authenticator,
  anAuthenticator,
  answers,
  aPasskey,
  beginPasskey,
  copyOf,
  type Given,
  type Question,
} from '#testing/authenticator.ts'
import { aCustomer, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const question = async (): Promise<Question> =>
  (await shop.call('POST', '/api/v1/user/login/passkey/options')).body
const send = (body: object, token?: string, headers = {}) =>
  shop.call('POST', '/api/v1/user/login/passkey', { body, token, headers })
const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })

const logIn = async (device: Authenticator, given: Given = {}) =>
  send(answers(shop, device, await question(), given))

/** The first log-in of an account is one from an unknown browser. */
const eventsOf = async ({ id }: TestCustomer) => {
  const rows = await shop.db
    .selectFrom('security_events')
    .select(['kind', 'times'])
    .where('customer_id', '=', id)
    .where('kind', '<>', 'passkey-added')
    .orderBy('id')
    .execute()
  return rows.map(({ kind, times }) => (times > 1 ? `${kind} ×${times}` : kind))
}
const rowOf = ({ id }: Authenticator) =>
  shop.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', Buffer.from(id, 'base64url'))
    .executeTakeFirstOrThrow()
const customerOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** As after someone has said that the second step is lost, with the password. */
const wayBackAsked = ({ id }: TestCustomer) =>
  shop.db
    .updateTable('customers')
    .set({
      second_step_at: sql<Date>`now()`,
      second_step_ends_at: sql<Date>`now() + interval '7 days'`,
      way_back_hash: Buffer.from(id),
    })
    .where('id', '=', id)
    .execute()

describe('POST /api/v1/user/login/passkey/options', () => {
  test('asks any passkey of the shop, and that it verifies its owner', async () => {
    const { options } = await question()
    expect(options).toMatchObject({
      rpId: '127.0.0.1',
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  test('asks another question each time', async () => {
    const [one, other] = [await question(), await question()]
    expect(one.options.challenge).not.toBe(other.options.challenge)
    expect(one.ticket).not.toBe(other.ticket)
  })
})

describe('POST /api/v1/user/login/passkey', () => {
  test('answers like the log-in by password, and notes it', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const { status, body } = await logIn(device)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'profile'])
    expect(body.profile).toMatchObject({ email: owner.email, name: owner.name, connections: [] })
    expect((await profile(body.access_token)).body).toEqual(body.profile)
    expect(await eventsOf(owner)).toEqual(['new-browser'])
  })

  test('notes when the passkey was used, and how often it has signed', async () => {
    const device = await aPasskey(shop, await aCustomer(shop), { counter: 4 })
    expect((await rowOf(device)).last_used_at).toBeNull()
    await logIn(device)
    expect(await rowOf(device)).toMatchObject({ counter: '5', last_used_at: expect.any(Date) })
  })

  test('opens an account with a second step without a further one', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    await shop.db
      .updateTable('customers')
      .set({ second_step_at: sql<Date>`now()` })
      .where('id', '=', owner.id)
      .execute()
    const byPassword = await shop.call('POST', '/api/v1/user/login', {
      body: { username: owner.email, password: PASSWORD },
    })
    expect(byPassword.body).toHaveProperty('secondStep')
    expect((await logIn(device)).body).toHaveProperty('access_token')
  })

  test('stops a waiting end of the second step', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    await wayBackAsked(owner)
    expect((await logIn(device)).status).toBe(200)
    expect(await customerOf(owner)).toMatchObject({
      second_step_at: expect.any(Date),
      second_step_ends_at: null,
      way_back_hash: null,
    })
    expect(await eventsOf(owner)).toEqual(['way-back-stopped', 'new-browser'])
  })

  test('starts a session that proves who it is', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const { access_token } = (await logIn(device)).body
    expect((await beginPasskey(shop, { token: access_token })).status).toBe(200)
  })

  test('ends the session that it replaces', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const { body } = await send(answers(shop, device, await question()), owner.token)
    expectProblem(await profile(owner.token), 401)
    expect((await profile(body.access_token)).status).toBe(200)
  })

  test('refused, leaves the session that is there', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const answer = answers(shop, device, await question(), { isVerified: false })
    expectProblem(await send(answer, owner.token), 401)
    expect((await profile(owner.token)).status).toBe(200)
  })

  test('knows the browser again, as after the log-in by password', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const { headers } = await logIn(device)
    expect(headers.get('set-cookie')).toMatch(/HttpOnly/i)
  })

  test.each<[string, Given]>([
    ['that signs another challenge', { challenge: 'AAAA' }],
    ['of another address', { origin: 'https://evil.example' }],
    ['of the same host on another port', { origin: 'http://127.0.0.1' }],
    ['of another host', { rpId: 'evil.example' }],
    ['without a check of its owner', { isVerified: false }],
    ['that answers the making of a passkey', { type: 'webauthn.create' }],
    ['of another account by its own word', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['that does not say whose it is', { userHandle: undefined }],
  ])('refuses an answer %s', async (_, given) => {
    const owner = await aCustomer(shop)
    const reply = await logIn(await aPasskey(shop, owner), given)
    expect(expectProblem(reply, 401).body.detail).toBe(
      'This passkey was not accepted. Try again, or log in with your password.',
    )
    expect(await eventsOf(owner)).toEqual([])
  })

  test('refuses the signature of another key', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    expectProblem(await logIn({ ...device, key: anAuthenticator().key }), 401)
  })

  test('takes no signature for a copy that is none of the passkey’s', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner, { counter: 9 })
    const reply = await logIn({ ...device, key: anAuthenticator().key }, { counter: 1 })
    expectProblem(reply, 401)
    expect(await eventsOf(owner)).toEqual([])
  })

  test('says of an unknown or removed passkey that it opens nothing', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const never = expectProblem(await logIn({ ...anAuthenticator(), userHandle: device.userHandle }), 401)
    await shop.call('DELETE', `/api/v1/user/passkeys/${device.passkeyId}`, { token: owner.token })
    const removed = expectProblem(await logIn(device), 401)
    expectAlike(never, removed)
    expect(removed.body).toMatchObject({
      code: 'unknown-passkey',
      detail: 'This passkey no longer opens an account: it was removed. Log in with your password.',
    })
  })

  test('after a wrong answer takes the right one, but not after five', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const few = await question()
    expectProblem(await send(answers(shop, device, few, { isVerified: false })), 401)
    expect((await send(answers(shop, device, few))).status).toBe(200)
    const many = await question()
    for (let count = 0; count < 5; count += 1)
      expectProblem(await send(answers(shop, device, many, { isVerified: false })), 401)
    expectProblem(await send(answers(shop, device, many)), 409)
  })

  test('takes one answer once', async () => {
    const owner = await aCustomer(shop)
    const answer = answers(shop, await aPasskey(shop, owner), await question())
    expect((await send(answer)).status).toBe(200)
    expect(expectProblem(await send(answer), 409).body.detail).toMatch(/sent twice/)
    expect(await eventsOf(owner)).toEqual(['new-browser'])
  })

  test('takes an answer to an earlier question for none to a later one', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const { credential } = answers(shop, device, await question())
    const later = await question()
    expectProblem(await send({ ticket: later.ticket, credential }), 401)
  })

  test.each([
    ['that counts', 1],
    ['that does not count', 0],
  ])('of the same answer twice at once starts one session, by a passkey %s', async (_, counter) => {
    const owner = await aCustomer(shop)
    const answer = answers(shop, await aPasskey(shop, owner, { counter }), await question())
    const replies = await Promise.all([send(answer), send(answer), send(answer)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await eventsOf(owner)).toEqual(['new-browser'])
  })

  test('of two questions at once takes both answers', async () => {
    const device = await aPasskey(shop, await aCustomer(shop), { counter: 0 })
    const asked = [await question(), await question()]
    const replies = await Promise.all(asked.map((one) => send(answers(shop, device, one))))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
  })

  test('refuses a question that is over', async () => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const asked = await question()
    await shop.db
      .updateTable('auth_challenges')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('purpose', '=', 'log-in')
      .execute()
    expect(expectProblem(await send(answers(shop, device, asked)), 409).body.detail).toMatch(/took too long/)
  })

  test('refuses the question of a proof and of a new passkey', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const { body } = await shop.call('POST', '/api/v1/user/sessions/proof/options', { token: owner.token })
    expectProblem(await send(answers(shop, device, body.passkey)), 409)
    expectProblem(await send(answers(shop, device, (await beginPasskey(shop, owner)).body)), 409)
  })

  test('refuses a passkey whose counter is behind, keeps it, and tells its owner', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const copy = copyOf(device)
    expect((await logIn(device)).status).toBe(200)
    const reply = expectProblem(await logIn(copy), 403)
    expect(reply.body.detail).toMatch(/refused because it may have been copied/)
    expect(await eventsOf(owner)).toEqual(['new-browser', 'passkey-copied'])
    expect(await rowOf(device)).toMatchObject({ counter: '2' })
    expect((await logIn(device)).status).toBe(200)
  })

  test('counts copies of an hour in one event, and takes the owner’s answer to the same question after one', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner, { counter: 5 })
    const asked = await question()
    const behind = () => send(answers(shop, copyOf(device), asked, { counter: 3 }))
    expect((await Promise.all([behind(), behind()])).map(({ status }) => status)).toEqual([403, 403])
    expect(await eventsOf(owner)).toEqual(['passkey-copied ×2'])
    expect((await send(answers(shop, device, asked))).status).toBe(200)
  })

  test('refuses one that has counted and stops counting', async () => {
    const device = await aPasskey(shop, await aCustomer(shop), { counter: 5 })
    expectProblem(await logIn(device, { counter: 0 }), 403)
  })

  test('takes one that never counts again and again', async () => {
    const device = await aPasskey(shop, await aCustomer(shop), { counter: 0 })
    expect((await logIn(device)).status).toBe(200)
    expect((await logIn(device)).status).toBe(200)
  })

  test('refuses an account that is not confirmed', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    await shop.db.updateTable('customers').set({ confirmed_at: null }).where('id', '=', owner.id).execute()
    expect(expectProblem(await logIn(device), 401).body.code).toBe('not-confirmed')
    expect(await eventsOf(owner)).toEqual([])
  })

  test('by one account’s passkey opens no other account', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const theirs = await aPasskey(shop, await aCustomer(shop))
    expectProblem(await logIn(device, { userHandle: theirs.userHandle }), 401)
    expect((await logIn(device)).body.profile.email).toBe(owner.email)
  })

  test.each([
    ['nothing', {}],
    ['a ticket alone', { ticket: 'x' }],
    [
      'no object as response',
      { ticket: 'x', credential: { id: 'a', rawId: 'a', type: 'public-key', response: 7 } },
    ],
    [
      'another kind of credential',
      { ticket: 'x', credential: { id: 'a', rawId: 'a', type: 'password', response: {} } },
    ],
  ])('refuses %s', async (_, body) => {
    expectProblem(await send(body), 422)
  })

  test.each([
    ['rubbish', { clientDataJSON: '!', authenticatorData: '!', signature: '!' }],
    ['numbers', { clientDataJSON: 'e30', authenticatorData: 1, signature: 2, userHandle: 3 }],
    ['no end', { clientDataJSON: 'ey', authenticatorData: 'AAAA', signature: 'AAAA' }],
  ])('refuses a response of %s', async (_, response) => {
    const device = await aPasskey(shop, await aCustomer(shop))
    const { ticket, credential } = answers(shop, device, await question())
    const { userHandle } = device
    const reply = await send({ ticket, credential: { ...credential, response: { userHandle, ...response } } })
    expectProblem(reply, 401)
  })

  test('refuses an answer that is too large', async () => {
    const { ticket, credential } = answers(shop, anAuthenticator(), await question())
    const response = { ...credential.response, padding: 'x'.repeat(17_000) }
    expectProblem(await send({ ticket, credential: { ...credential, response } }), 413)
  })
})
