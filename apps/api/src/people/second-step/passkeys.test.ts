import { randomUUID } from 'node:crypto'
import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  addPasskey,
  anAuthenticator,
  answers,
  aPasskey,
  beginPasskey,
  type Given,
  makes,
} from '#testing/authenticator.ts'
import { aCustomer, aSession, type TestCustomer } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

const send = ({ token }: Pick<TestCustomer, 'token'>, body: object, headers = {}) =>
  shop.call('POST', '/api/v1/user/passkeys', { token, body: { name: '', ...body }, headers })
const rename = ({ token }: Pick<TestCustomer, 'token'>, id: string, name: string, headers = {}) =>
  shop.call('PUT', `/api/v1/user/passkeys/${id}`, { token, body: { name }, headers })
const remove = ({ token }: Pick<TestCustomer, 'token'>, id: string) =>
  shop.call('DELETE', `/api/v1/user/passkeys/${id}`, { token })

const passkeysOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('passkeys').selectAll().where('customer_id', '=', id).orderBy('created_at').execute()
const eventsOf = async ({ id }: TestCustomer) => {
  const rows = await shop.db
    .selectFrom('security_events')
    .select('kind')
    .where('customer_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}
const forgetProof = ({ id }: TestCustomer) =>
  shop.db
    .updateTable('sessions')
    .set({ proved_at: sql<Date>`now() - interval '16 minutes'` })
    .where('customer_id', '=', id)
    .execute()
const endTickets = ({ id }: TestCustomer) =>
  shop.db
    .updateTable('auth_challenges')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .where('customer_id', '=', id)
    .execute()
const secondStepOn = ({ id }: TestCustomer) =>
  shop.db.updateTable('customers').set({ second_step_at: sql<Date>`now()` }).where('id', '=', id).execute()
const withRecoveryCode = ({ id }: TestCustomer) =>
  shop.db.insertInto('recovery_codes').values({ id: randomUUID(), customer_id: id, code_hash: 'x' }).execute()
const withApp = ({ id }: TestCustomer) =>
  shop.db
    .insertInto('totp_secrets')
    .values({ customer_id: id, secret_encrypted: Buffer.from('x'), confirmed_at: new Date() } as never)
    .execute()
const secondStepOf = async ({ id }: TestCustomer) => {
  const { second_step_at } = await shop.db
    .selectFrom('customers')
    .select('second_step_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const codes = await shop.db
    .selectFrom('recovery_codes')
    .select('id')
    .where('customer_id', '=', id)
    .execute()
  return { isOn: second_step_at !== null, codes: codes.length }
}

describe('POST /api/v1/user/passkeys/options', () => {
  test('asks for a passkey that verifies its owner and can be found without a name', async () => {
    const owner = await aCustomer(shop)
    const { status, body } = await beginPasskey(shop, owner)
    expect(status).toBe(200)
    expect(body.options).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Hedgerow' },
      user: { name: owner.email, displayName: owner.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    expect(body.options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257])
  })

  test('calls an account by the same bytes each time, and by other bytes than any other', async () => {
    const owner = await aCustomer(shop)
    const other = await aCustomer(shop)
    const userId = async (of: TestCustomer) => (await beginPasskey(shop, of)).body.options.user.id as string
    expect(await userId(owner)).toBe(await userId(owner))
    expect(await userId(owner)).not.toBe(await userId(other))
    expect(Buffer.from(await userId(owner), 'base64url')).toHaveLength(16)
  })

  test('leaves out the devices that have one of the account', async () => {
    const owner = await aCustomer(shop)
    const { id } = await aPasskey(shop, owner)
    const { body } = await beginPasskey(shop, owner)
    expect(body.options.excludeCredentials).toEqual([{ id, type: 'public-key', transports: ['internal'] }])
  })

  test('asks again who it is when that was proved more than 15 minutes ago', async () => {
    const owner = await aCustomer(shop)
    await forgetProof(owner)
    expect(expectProblem(await beginPasskey(shop, owner), 403).body.code).toBe('ask-again')
  })

  test('is for who is logged in', async () => {
    expectProblem(await beginPasskey(shop, { token: 'nobodys-token-at-all-no' }), 401)
  })
})

describe('POST /api/v1/user/passkeys', () => {
  test('adds the passkey, and notes that', async () => {
    const owner = await aCustomer(shop)
    const { status, body } = await addPasskey(shop, owner, anAuthenticator(), '  My key ')
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.any(String),
      name: 'My key',
      isSynced: false,
      createdAt: expect.any(String),
      lastUsedAt: null,
    })
    expect(await eventsOf(owner)).toEqual(['passkey-added'])
  })

  test('keeps the id and the key that the authenticator gave, and its counter', async () => {
    const owner = await aCustomer(shop)
    const device = anAuthenticator({ counter: 7 })
    await addPasskey(shop, owner, device)
    const [row] = await passkeysOf(owner)
    expect(row).toMatchObject({
      credential_id: Buffer.from(device.id, 'base64url'),
      public_key: device.publicKey,
      counter: '7',
      transports: ['internal'],
    })
  })

  test('says of one that may be on several devices that it is', async () => {
    const { body } = await addPasskey(shop, await aCustomer(shop), anAuthenticator({ isSynced: true }))
    expect(body.isSynced).toBe(true)
  })

  test('calls one without a name by the browser', async () => {
    const owner = await aCustomer(shop)
    const { body: question } = await beginPasskey(shop, owner)
    const { body } = await send(owner, makes(shop, anAuthenticator(), question), { 'user-agent': CHROME })
    expect(body.name).toBe('Chrome on Linux')
  })

  test('calls one that no browser has made a passkey', async () => {
    expect((await addPasskey(shop, await aCustomer(shop))).body.name).toBe('Passkey')
  })

  test('refuses a name that is too long', async () => {
    const reply = await addPasskey(shop, await aCustomer(shop), anAuthenticator(), 'x'.repeat(41))
    expect(messageFor(expectProblem(reply, 422), 'name')).toBe('Use 40 characters at most')
  })

  test.each<[string, Given]>([
    ['that signs another challenge', { challenge: 'AAAA' }],
    ['of another address', { origin: 'https://evil.example' }],
    ['of the same host on another port', { origin: 'http://127.0.0.1' }],
    ['of another host', { rpId: 'evil.example' }],
    ['without a check of its owner', { isVerified: false }],
    ['that answers a log-in', { type: 'webauthn.get' }],
    ['of an algorithm that was not asked for', { algorithm: -8 - 1 }],
  ])('refuses one %s, and keeps none', async (_, given) => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const reply = await send(owner, makes(shop, anAuthenticator(), body, given))
    expect(messageFor(expectProblem(reply, 422), 'passkey')).toBe('This passkey was not accepted')
    expect(await passkeysOf(owner)).toEqual([])
  })

  test('after a wrong answer, takes the right one', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    expectProblem(await send(owner, makes(shop, anAuthenticator(), body, { isVerified: false })), 422)
    expect((await send(owner, makes(shop, anAuthenticator(), body))).status).toBe(201)
  })

  test('does not believe another id than the authenticator’s', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const made = makes(shop, anAuthenticator(), body)
    const { id } = anAuthenticator()
    const reply = await send(owner, { ...made, credential: { ...made.credential, id, rawId: id } })
    expectProblem(reply, 422)
    expect(await passkeysOf(owner)).toEqual([])
  })

  test('leaves aside what the maker of the device says of itself', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    expect((await send(owner, makes(shop, anAuthenticator(), body, { attestation: 'packed' }))).status).toBe(
      201,
    )
  })

  test.each([['no list'], [{ length: 3 }], [[7, 'telepathy', 'usb']]])(
    'keeps only ways to a device that there are, of %j',
    async (transports) => {
      const owner = await aCustomer(shop)
      const { body } = await beginPasskey(shop, owner)
      expect((await send(owner, makes(shop, anAuthenticator(), body, { transports }))).status).toBe(201)
      const [row] = await passkeysOf(owner)
      expect(row?.transports).toEqual(Array.isArray(transports) ? ['usb'] : [])
    },
  )

  test.each([
    ['no object', 7],
    ['nothing in it', {}],
    ['rubbish in it', { clientDataJSON: '!', attestationObject: '!' }],
    ['a CBOR that does not end', { clientDataJSON: 'e30', attestationObject: 'o2' }],
  ])('refuses a response with %s', async (_, response) => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const made = makes(shop, anAuthenticator(), body)
    expectProblem(await send(owner, { ...made, credential: { ...made.credential, response } }), 422)
  })

  test('refuses an answer that is too large', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const made = makes(shop, anAuthenticator(), body)
    const response = { ...made.credential.response, padding: 'x'.repeat(33_000) }
    expectProblem(await send(owner, { ...made, credential: { ...made.credential, response } }), 413)
  })

  test('takes one ticket once', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    expect((await send(owner, makes(shop, anAuthenticator(), body))).status).toBe(201)
    const again = expectProblem(await send(owner, makes(shop, anAuthenticator(), body)), 409)
    expect(again.body.detail).toMatch(/took too long, or it was sent twice/)
    expect(await passkeysOf(owner)).toHaveLength(1)
  })

  test('of two answers at once takes one', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const made = [makes(shop, anAuthenticator(), body), makes(shop, anAuthenticator(), body)]
    const replies = await Promise.all(made.map((one) => send(owner, one)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await passkeysOf(owner)).toHaveLength(1)
  })

  test('refuses a ticket that is over', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    await endTickets(owner)
    expectProblem(await send(owner, makes(shop, anAuthenticator(), body)), 409)
  })

  test('refuses another customer’s ticket like an unknown one', async () => {
    const owner = await aCustomer(shop)
    const other = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const theirs = expectProblem(await send(other, makes(shop, anAuthenticator(), body)), 409)
    const nobodys = { ...body, ticket: 'nobodys-ticket' }
    expectAlike(theirs, expectProblem(await send(other, makes(shop, anAuthenticator(), nobodys)), 409))
    expect([...(await passkeysOf(owner)), ...(await passkeysOf(other))]).toEqual([])
  })

  test('refuses the ticket of a log-in', async () => {
    const owner = await aCustomer(shop)
    const { body } = await shop.call('POST', '/api/v1/user/login/passkey/options')
    expectProblem(await send(owner, makes(shop, anAuthenticator(), body)), 409)
  })

  test('refuses a passkey that another account has, and leaves it there', async () => {
    const owner = await aCustomer(shop)
    const other = await aCustomer(shop)
    const device = anAuthenticator()
    await addPasskey(shop, owner, device)
    expect(expectProblem(await addPasskey(shop, other, device), 409).body.detail).toMatch(/added before/)
    expect(await passkeysOf(owner)).toHaveLength(1)
    expect(await eventsOf(other)).toEqual([])
  })

  test('takes ten of an account, of however many at once', async () => {
    const owner = await aCustomer(shop)
    for (let count = 0; count < 8; count += 1) await aPasskey(shop, owner)
    const begun = await Promise.all(Array.from({ length: 4 }, () => beginPasskey(shop, owner)))
    const replies = await Promise.all(
      begun.map(({ body }) => send(owner, makes(shop, anAuthenticator(), body))),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(expectProblem(await beginPasskey(shop, owner), 409).body.detail).toMatch(/You have 10 passkeys/)
    expect(await passkeysOf(owner)).toHaveLength(10)
  })

  test('asks again who it is when that was proved too long ago', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    await forgetProof(owner)
    const reply = expectProblem(await send(owner, makes(shop, anAuthenticator(), body)), 403)
    expect(reply.body.code).toBe('ask-again')
    expect(await passkeysOf(owner)).toEqual([])
  })

  test('adds nothing in a session that is ended in the same moment', async () => {
    const owner = await aCustomer(shop)
    const { body } = await beginPasskey(shop, owner)
    const isWaited = () => areWaiting(shop)
    const { attempt } = await shop.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sessions').where('customer_id', '=', owner.id).execute()
      const attempt = send(owner, makes(shop, anAuthenticator(), body))
      await Promise.race([attempt, expect.poll(isWaited).toBe(true)])
      return { attempt }
    })
    expectProblem(await attempt, 401)
    expect(await passkeysOf(owner)).toEqual([])
  })
})

describe('PUT /api/v1/user/passkeys/:passkeyId', () => {
  test('calls it otherwise', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    expect((await rename(owner, passkeyId, 'The blue key')).body).toMatchObject({
      _id: passkeyId,
      name: 'The blue key',
    })
  })

  test('without a name calls it by the browser', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    const { body } = await rename(owner, passkeyId, ' ', { 'user-agent': CHROME })
    expect(body.name).toBe('Chrome on Linux')
  })

  test.each(['x'.repeat(41), 'two\nlines'])('refuses the name %j', async (name) => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    expectProblem(await rename(owner, passkeyId, name), 422)
  })

  test('answers for another customer’s like for an unknown one', async () => {
    const { passkeyId } = await aPasskey(shop, await aCustomer(shop))
    const other = await aCustomer(shop)
    const theirs = expectProblem(await rename(other, passkeyId, 'Mine'), 404)
    expectAlike(theirs, expectProblem(await rename(other, randomUUID(), 'Mine'), 404))
    expectProblem(await rename(other, 'no-id', 'Mine'), 404)
  })
})

describe('DELETE /api/v1/user/passkeys/:passkeyId', () => {
  test('removes it, says by what browsers know it, and notes that', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId, id } = await aPasskey(shop, owner)
    const { status, body } = await remove(owner, passkeyId)
    expect([status, body]).toEqual([200, { credentialId: id }])
    expect(await passkeysOf(owner)).toEqual([])
    expect(await eventsOf(owner)).toEqual(['passkey-added', 'passkey-removed'])
  })

  test('twice at once removes it once', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    const replies = await Promise.all([remove(owner, passkeyId), remove(owner, passkeyId)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await eventsOf(owner)).toEqual(['passkey-added', 'passkey-removed'])
  })

  test('answers for another customer’s like for an unknown one, and leaves it', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    const other = await aCustomer(shop)
    const theirs = expectProblem(await remove(other, passkeyId), 404)
    expectAlike(theirs, expectProblem(await remove(other, randomUUID()), 404))
    expect(await passkeysOf(owner)).toHaveLength(1)
  })

  test('asks again who it is when that was proved too long ago', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    await forgetProof(owner)
    expect(expectProblem(await remove(owner, passkeyId), 403).body.code).toBe('ask-again')
    expect(await passkeysOf(owner)).toHaveLength(1)
  })

  test('with the last one and no app, ends the second step and its recovery codes', async () => {
    const owner = await aCustomer(shop)
    const one = await aPasskey(shop, owner)
    const last = await aPasskey(shop, owner)
    await secondStepOn(owner)
    await withRecoveryCode(owner)
    await remove(owner, one.passkeyId)
    expect(await secondStepOf(owner)).toEqual({ isOn: true, codes: 1 })
    await remove(owner, last.passkeyId)
    expect(await secondStepOf(owner)).toEqual({ isOn: false, codes: 0 })
    expect((await eventsOf(owner)).slice(-2)).toEqual(['passkey-removed', 'second-step-off'])
  })

  test('of two that are removed at once, the last ends the second step', async () => {
    const owner = await aCustomer(shop)
    const both = [await aPasskey(shop, owner), await aPasskey(shop, owner)]
    await secondStepOn(owner)
    await Promise.all(both.map(({ passkeyId }) => remove(owner, passkeyId)))
    expect((await secondStepOf(owner)).isOn).toBe(false)
    expect((await eventsOf(owner)).filter((kind) => kind === 'second-step-off')).toHaveLength(1)
  })

  test('with the last one, leaves the second step of an account that has an app', async () => {
    const owner = await aCustomer(shop)
    const { passkeyId } = await aPasskey(shop, owner)
    await withApp(owner)
    await secondStepOn(owner)
    await withRecoveryCode(owner)
    await remove(owner, passkeyId)
    expect(await secondStepOf(owner)).toEqual({ isOn: true, codes: 1 })
    expect(await eventsOf(owner)).not.toContain('second-step-off')
  })
})

describe('a proof by passkey', () => {
  const question = async ({ token }: Pick<TestCustomer, 'token'>) =>
    (await shop.call('POST', '/api/v1/user/sessions/proof/options', { token })).body.passkey
  const prove = ({ token }: Pick<TestCustomer, 'token'>, passkey: object) =>
    shop.call('POST', '/api/v1/user/sessions/proof', { token, body: { passkey } })

  test('is asked of the account’s own, and taken', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    await forgetProof(owner)
    const asked = await question(owner)
    expect(asked.options).toMatchObject({ userVerification: 'required', rpId: '127.0.0.1' })
    expect(asked.options.allowCredentials).toMatchObject([{ id: device.id }])
    const { status, body } = await prove(owner, answers(shop, device, asked))
    expect(status).toBe(200)
    expect((await beginPasskey(shop, { token: body.access_token })).status).toBe(200)
  })

  test('needs no word of whose passkey it is, but no wrong one', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const wrong = answers(shop, device, await question(owner), { userHandle: 'AAAA' })
    expectProblem(await prove(owner, wrong), 422)
    const silent = answers(shop, device, await question(owner), { userHandle: undefined })
    expect((await prove(owner, silent)).status).toBe(200)
  })

  test('is not taken of another account’s passkey', async () => {
    const owner = await aCustomer(shop)
    await aPasskey(shop, owner)
    const theirs = await aPasskey(shop, await aCustomer(shop))
    const reply = await prove(owner, answers(shop, theirs, await question(owner)))
    expect(messageFor(expectProblem(reply, 422), 'passkey')).toBe('This passkey was not accepted')
  })

  test('is not taken with another customer’s ticket', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const other = await aCustomer(shop)
    const theirs = await aPasskey(shop, other)
    const asked = await question(owner)
    expectProblem(await prove(other, answers(shop, theirs, asked)), 422)
    expect((await prove(owner, answers(shop, device, asked))).status).toBe(200)
  })

  test('is not taken with the ticket of a log-in or of a new passkey', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const { body: ofLogin } = await shop.call('POST', '/api/v1/user/login/passkey/options')
    const { body: ofAdding } = await beginPasskey(shop, owner)
    expectProblem(await prove(owner, answers(shop, device, ofLogin)), 422)
    expectProblem(await prove(owner, answers(shop, device, ofAdding)), 422)
  })

  test('of the same answer twice at once takes one, and sees no copy in that', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const second = { ...owner, token: await aSession(shop, owner.id) }
    const answer = answers(shop, device, await question(owner))
    const replies = await Promise.all([prove(owner, answer), prove(second, answer)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await eventsOf(owner)).not.toContain('passkey-copied')
  })

  test('by a copied passkey is refused in clear words, and leaves the session', async () => {
    const owner = await aCustomer(shop)
    const device = await aPasskey(shop, owner)
    const answer = answers(shop, device, await question(owner), { counter: 1 })
    expect(expectProblem(await prove(owner, answer), 403).body.detail).toMatch(/may have been copied/)
    expect(await eventsOf(owner)).toContain('passkey-copied')
    expect((await beginPasskey(shop, owner)).status).toBe(200)
  })
})
