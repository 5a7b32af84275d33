import { randomUUID } from 'node:crypto'
import { addressesAt } from '@hedgerow/domain/addresses'
import type { Json } from '@hedgerow/testing/call'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer, aSession, PASSWORD } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aLocation } from '#testing/locations.ts'
import { peersOf } from '#testing/nodes.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const listOf = async (of: Pick<TestShop, 'call'>, token: string): Promise<Json[]> =>
  (await of.call('GET', '/api/v1/user/profile', { token })).body.connections

/** A customer who has bought the advertisement filter, with their first connection. */
const anOwner = async (of: TestShop = shop) => {
  const { customer } = await aPurchase(of, { features: { feature1: true, feature2: true } })
  const [connection, other] = await listOf(of, customer.token)
  return { ...customer, connection, other, path: `/api/v1/connections/${connection._id}` }
}

const resetPassword = async (of: TestShop, email: string) => {
  const before = (await mailbox(of).list(email, 'Choose a new password')).length
  await of.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  await until(async () => (await mailbox(of).list(email, 'Choose a new password')).length > before)
  const token = tokenIn(await mailbox(of).latest(email, 'Choose a new password'), '/reset/')
  const body = { token, password: `a robin on the gate ${before}` }
  expect((await of.call('POST', '/api/v1/user/password/reset', { body })).status).toBe(200)
}

type Owner = Awaited<ReturnType<typeof anOwner>>

const save = ({ path, token }: Pick<Owner, 'path' | 'token'>, body: unknown) =>
  shop.call('PUT', path, { token, body })
const newKeys = ({ path, token }: Pick<Owner, 'path' | 'token'>, body?: unknown) =>
  shop.call('POST', `${path}/keys`, { token, body })
const move = ({ path, token }: Pick<Owner, 'path' | 'token'>, location: unknown) =>
  shop.call('POST', `${path}/location`, { token, body: { location } })
const locationsOf = ({ path, token }: Pick<Owner, 'path' | 'token'>) =>
  shop.call('GET', `${path}/locations`, { token })

/** When each of its keys that a node keeps was replaced. */
const livingOf = async ({ connection }: Owner) =>
  (await peersOf(shop, connection._id))
    .filter(({ removed_at }) => removed_at === null)
    .map(({ replaced_at }) => replaced_at)

/** As if the agent had all of it. */
const tellAll = (connectionId: string) =>
  shop.db.updateTable('peers').set({ revision: 1 }).where('connection_id', '=', connectionId).execute()

const end = (connectionId: string) =>
  shop.db
    .updateTable('connections')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', connectionId)
    .execute()

/** Every call that is about one connection of one's own. */
const CALLS = [
  ['PUT', '', { name: 'Mine' }],
  ['POST', '/keys', undefined],
  ['POST', '/keys', { cutOffOld: true }],
  ['GET', '/locations', undefined],
  ['POST', '/location', { location: randomUUID() }],
  ['POST', '/link', undefined],
  ['DELETE', '/link', undefined],
] as const

describe.each(CALLS)('%s /api/v1/connections/:connectionId%s', (method, end, body) => {
  const ask = (id: string, token?: string) =>
    shop.call(method, `/api/v1/connections/${id}${end}`, { token, body })

  test('is for customers', async () => {
    expectProblem(await ask(randomUUID()), 401)
  })

  test('hides connections of others, and changes nothing of them', async () => {
    const [owner, eve] = await Promise.all([anOwner(), aCustomer(shop)])
    const hidden = expectProblem(await ask(owner.connection._id, eve.token), 404)
    const unknown = expectProblem(await ask(randomUUID(), eve.token), 404)
    expectAlike(hidden, unknown)
    expectProblem(await ask('nonsense', eve.token), 404)
    expect((await listOf(shop, owner.token))[0]).toEqual(owner.connection)
  })
})

describe('PUT /api/v1/connections/:connectionId', () => {
  test('renames it, and leaves all else as it is', async () => {
    const owner = await anOwner()
    const reply = await save(owner, { name: '  Kitchen tablet ' })
    expect(reply.body).toEqual({
      ...owner.connection,
      name: 'Kitchen tablet',
      fileName: 'kitchen-tablet.conf',
    })
    expect((await listOf(shop, owner.token))[0]).toEqual(reply.body)
    await shop.call('POST', `/api/v1/user/mail/connection/${owner.connection._id}`, { token: owner.token })
    const mail = await mailbox(shop).latest(owner.email, 'Kitchen tablet')
    expect(mail.attachments[0]?.filename).toBe('kitchen-tablet.conf')
  })

  test('tells the files of connections apart that have one name, and names none after an interface', async () => {
    const { customer } = await aPurchase(shop)
    const [first, second, third] = await listOf(shop, customer.token)
    const end = (id: string) => id.slice(-4)
    for (const [{ _id }, name] of [
      [first, 'Phone'],
      [second, 'phone!'],
      [third, 'eth0'],
    ] as const)
      await shop.call('PUT', `/api/v1/connections/${_id}`, { token: customer.token, body: { name } })
    const files = (await listOf(shop, customer.token)).map((one: { fileName: string }) => one.fileName)
    expect(files).toEqual([
      `phone-${end(first._id)}.conf`,
      `phone-${end(second._id)}.conf`,
      `eth0-${end(third._id)}.conf`,
    ])
  })

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['what nobody sees', '\u200b\u200d'],
    ['a line break', 'a\nb'],
    ['letters in the wrong direction', 'a\u202eb'],
    ['61 characters', 'x'.repeat(61)],
    ['a number', 7],
  ])('takes no name that is %s', async (_, name) => {
    const owner = await anOwner()
    expect(messageFor(expectProblem(await save(owner, { name }), 422), 'name')).toMatch(/./)
    expect((await listOf(shop, owner.token))[0].name).toBe(owner.connection.name)
  })

  test('takes a name of one character, and of sixty', async () => {
    const owner = await anOwner()
    for (const name of ['x', 'ы'.repeat(60)]) expect((await save(owner, { name })).body.name).toBe(name)
  })

  test('switches a bought filter off and on, keeps the configuration, and tells the node', async () => {
    const owner = await anOwner()
    await tellAll(owner.connection._id)
    for (const feature2 of [false, true]) {
      const { body } = await save(owner, { filters: { feature2 } })
      expect(body).toEqual({
        ...owner.connection,
        filters: { feature2, feature3: false, feature4: false },
      })
      expect((await peersOf(shop, owner.connection._id)).map(({ revision }) => revision)).toEqual([null])
      await tellAll(owner.connection._id)
    }
  })

  test('tells the node nothing that it knows', async () => {
    const owner = await anOwner()
    await tellAll(owner.connection._id)
    await save(owner, { name: 'Same', filters: { feature2: true, feature3: false } })
    await save(owner, {})
    expect((await peersOf(shop, owner.connection._id))[0]?.revision).toBe('1')
  })

  test('refuses a filter that was not bought, names it, and changes nothing', async () => {
    const owner = await anOwner()
    const body = { name: 'Other', filters: { feature2: false, feature3: true, feature4: true } }
    const refused = expectProblem(await save(owner, body), 422)
    expect(messageFor(refused, 'filters.feature3')).toMatch(/not bought/)
    expect(messageFor(refused, 'filters.feature4')).toMatch(/not bought/)
    expect(messageFor(refused, 'filters.feature2')).toBeUndefined()
    expect((await listOf(shop, owner.token))[0]).toEqual(owner.connection)
  })

  test('keeps one of each change when both come at once', async () => {
    const owner = await anOwner()
    await Promise.all([
      save(owner, { name: 'Renamed' }),
      save(owner, { filters: { feature2: false } }),
      save(owner, { filters: { feature2: false } }),
    ])
    const [now] = await listOf(shop, owner.token)
    expect([now.name, now.filters.feature2]).toEqual(['Renamed', false])
  })

  test('refuses one that has ended, in words of its own', async () => {
    const owner = await anOwner()
    await end(owner.connection._id)
    expect(expectProblem(await save(owner, { name: 'Late' }), 409).body.detail).toMatch(/has expired/)
    expectProblem(await newKeys(owner), 409)
    expectProblem(await move(owner, await aLocation(shop)), 409)
    expectProblem(await shop.call('POST', `${owner.path}/link`, { token: owner.token }), 409)
  })

  test('refuses what is too large', async () => {
    expectProblem(await save(await anOwner(), { name: 'x'.repeat(2_000_000) }), 413)
  })
})

describe('POST /api/v1/connections/:connectionId/keys', () => {
  test('gives new keys and a new address, while the old ones stay on the node', async () => {
    const owner = await anOwner()
    const { status, body } = await newKeys(owner)
    expect(status).toBe(200)
    for (const field of ['clientPrivateKey', 'presharedKey', 'address'] as const)
      expect(body[field]).not.toBe(owner.connection[field])
    for (const field of ['_id', 'name', 'expirationDate', 'filters', 'location'] as const)
      expect(body[field]).toEqual(owner.connection[field])
    const [old, now] = await peersOf(shop, owner.connection._id)
    expect(old).toMatchObject({ removed_at: null, private_key_encrypted: null })
    expect(old?.replaced_at).not.toBeNull()
    expect(now).toMatchObject({ removed_at: null, replaced_at: null })
    expect((await listOf(shop, owner.token)).slice(1)).toContainEqual(owner.other)
  })

  test('tells the customer by mail, without any key', async () => {
    const owner = await anOwner()
    const { body } = await newKeys(owner)
    const mail = await mailbox(shop).latest(owner.email, `${owner.connection.name} has new keys`)
    expect(mail.attachments).toEqual([])
    for (const secret of [body.clientPrivateKey, body.presharedKey, body.address, body.serverPublicKey])
      expect(mail.text + mail.html).not.toContain(secret)
    expect(mail.text).toMatch(/If this was not you/)
    expect(mail.text).toMatch(/\d\d\/\d\d\/\d{4} \d\d:\d\d/)
  })

  test('keeps only the newest of several that were never used', async () => {
    const owner = await anOwner()
    await newKeys(owner)
    const { body } = await newKeys(owner)
    const peers = await peersOf(shop, owner.connection._id)
    expect(peers.map(({ removed_at }) => removed_at !== null)).toEqual([false, true, false])
    expect((await listOf(shop, owner.token))[0].clientPrivateKey).toBe(body.clientPrivateKey)
  })

  test('leaves one pair that counts when it is asked for twice at once', async () => {
    const owner = await anOwner()
    const replies = await Promise.all([newKeys(owner), newKeys(owner)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const peers = await peersOf(shop, owner.connection._id)
    expect(peers.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1)
    expect(peers.filter(({ removed_at }) => removed_at === null)).toHaveLength(2)
    await queueIsEmpty(shop)
  })

  test('cuts the old ones off at once where that is asked for, and says so by mail', async () => {
    const owner = await anOwner()
    await newKeys(owner)
    const { status, body } = await newKeys(owner, { cutOffOld: true })
    expect(status).toBe(200)
    expect((await listOf(shop, owner.token))[0]).toEqual(body)
    expect(await livingOf(owner)).toEqual([null])
    await queueIsEmpty(shop)
    const [{ id = '' } = {}] = await mailbox(shop).list(owner.email, 'has new keys')
    const mail: Json = await (await fetch(`${shop.sandbox.url}/mail/messages/${id}`)).json()
    expect(mail.text).toContain('The old keys are cut off.')
    expect(mail.text).not.toContain('a day at most')
    const [before] = await peersOf(shop, owner.other._id)
    expect(before).toMatchObject({ removed_at: null, replaced_at: null })
  })

  test('cuts off twice, at once, and mixed with others that do not, and one pair stays that counts', async () => {
    const owner = await anOwner()
    const cut = { cutOffOld: true }
    const replies = await Promise.all([cut, undefined, cut, {}].map((body) => newKeys(owner, body)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const current = (await listOf(shop, owner.token))[0].clientPrivateKey
    expect(replies.map(({ body }) => body.clientPrivateKey)).toContain(current)
    await newKeys(owner, cut)
    expect(await livingOf(owner)).toEqual([null])
  })

  test.each([['yes'], [1], [null]])('takes no word but yes or no for it: %j', async (cutOffOld) => {
    const owner = await anOwner()
    expectProblem(await newKeys(owner, { cutOffOld }), 422)
    expect((await listOf(shop, owner.token))[0]).toEqual(owner.connection)
  })

  test('is given twenty times a day, moves counted, to each customer', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const [owner, other] = [await anOwner(limited), await anOwner(limited)]
    const ask = ({ path, token }: Owner) => limited.call('POST', `${path}/keys`, { token })
    for (let times = 0; times < 19; times++) expect((await ask(owner)).status).toBe(200)
    const location = await aLocation(limited)
    const moved = { token: owner.token, body: { location } }
    expect((await limited.call('POST', `${owner.path}/location`, moved)).status).toBe(200)
    expectProblem(await ask(owner), 429)
    expectProblem(await limited.call('POST', `${owner.path}/location`, moved), 429)
    const more = `/api/v1/connections/${owner.other._id}/keys`
    expectProblem(await limited.call('POST', more, { token: owner.token }), 429)
    expect((await ask(other)).status).toBe(200)
  })

  test('is given forty times a week, also after other passwords and by another session', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const owner = await anOwner(limited)
    const ask = async () =>
      (await limited.call('POST', `${owner.path}/keys`, { token: await aSession(limited, owner.id) })).status
    const day = async () => {
      for (let times = 0; times < 20; times++) expect(await ask()).toBe(200)
      await resetPassword(limited, owner.email)
      // As if the count of the day had ended.
      await sql`delete from rate_counts where ends_at < now() + interval '2 days'`.execute(limited.db)
    }
    await day()
    await day()
    expect(await ask()).toBe(429)
  })

  test('cuts off five times a day after all else is used up, and again by a customer who has chosen another password', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const owner = await anOwner(limited)
    const thief = await aSession(limited, owner.id)
    const ask = async (token: string, body = {}) =>
      (await limited.call('POST', `${owner.path}/keys`, { token, body })).status
    const cutOff = (token: string) => ask(token, { cutOffOld: true })
    for (let times = 0; times < 20; times++) expect(await ask(thief)).toBe(200)
    expect(await ask(thief)).toBe(429)
    for (let times = 0; times < 5; times++) expect(await cutOff(thief)).toBe(200)
    expect(await cutOff(thief)).toBe(429)
    const body = { password: PASSWORD, newPassword: 'a robin on the gate' }
    expect((await limited.call('POST', '/api/v1/user/password', { token: owner.token, body })).status).toBe(
      200,
    )
    expect(await cutOff(owner.token)).toBe(200)
    expect(await ask(owner.token)).toBe(429)
    for (let times = 1; times < 5; times++) expect(await cutOff(owner.token)).toBe(200)
    expect(await cutOff(owner.token)).toBe(429)
    await resetPassword(limited, owner.email)
    expect(await cutOff(await aSession(limited, owner.id))).toBe(200)
  })

  test('takes one address of the node however often it is asked for, and none to cut off', async () => {
    const own = await startTestShop()
    const owner = await anOwner(own)
    const ask = async (body = {}) =>
      (await own.call('POST', `${owner.path}/keys`, { token: owner.token, body })).status
    const resting = async () =>
      (await sql`select from free_addresses where available_at > now()`.execute(own.db)).rows.length
    const taken = async () =>
      (await sql`select from peers where removed_at is null`.execute(own.db)).rows.length
    const before = await taken()
    for (let times = 0; times < 5; times++) expect(await ask()).toBe(200)
    expect([await taken(), await resting()]).toEqual([before + 1, 0])
    for (let times = 0; times < 5; times++) expect(await ask({ cutOffOld: true })).toBe(200)
    expect([await taken(), await resting()]).toEqual([before, 1])
  })

  test('cuts off on a node that is full or drained, and refuses there what takes an address', async () => {
    const own = await startTestShop()
    const owner = await anOwner(own)
    const ask = async (body = {}) =>
      (await own.call('POST', `${owner.path}/keys`, { token: owner.token, body })).status
    await sql`delete from free_addresses`.execute(own.db)
    await sql`update nodes set filled_to = 2147483647, is_open = false`.execute(own.db)
    expect(await ask()).toBe(409)
    expect(await ask({ cutOffOld: true })).toBe(200)
    const [now] = await listOf(own, owner.token)
    expect(now.address).toBe(owner.connection.address)
    expect(now.clientPrivateKey).not.toBe(owner.connection.clientPrivateKey)
  })
})

/** A node for one test: those that later tests open are not to be taken for its choice. */
const aLocationHere = async (given?: Parameters<typeof aLocation>[1]) => {
  const id = await aLocation(shop, given)
  onTestFinished(async () => {
    await shop.db.updateTable('nodes').set({ removed_at: new Date() }).where('id', '=', id).execute()
  })
  return id
}

describe('locations', () => {
  test('are its own and the open ones that are up, by name', async () => {
    const owner = await anOwner()
    const zurich = await aLocationHere({ name: 'Zürich' })
    await aLocationHere({ name: 'Down', isUp: false })
    await aLocationHere({ name: 'Drained', isOpen: false })
    const amsterdam = await aLocationHere({ name: 'amsterdam' })
    expect((await locationsOf(owner)).body).toEqual([
      { _id: amsterdam, name: 'amsterdam', isCurrent: false },
      { ...owner.connection.location, isCurrent: true },
      { _id: zurich, name: 'Zürich', isCurrent: false },
    ])
  })

  test('moves to another one, with a new configuration', async () => {
    const owner = await anOwner()
    const id = await aLocationHere({ name: 'Leeds' })
    const { body } = await move(owner, id)
    expect(body.location).toEqual({ _id: id, name: 'Leeds' })
    expect(body.endpoint).toMatch(/\.example:51820$/)
    const node = await shop.db.selectFrom('nodes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const peer = (await peersOf(shop, owner.connection._id))[1]
    expect(body.address).toContain(addressesAt(node, peer?.position ?? 0).ipv4)
    expect(body.serverPublicKey).toBe(node.public_key)
    const mail = await mailbox(shop).latest(owner.email, 'has new keys')
    expect(mail.text).toContain('Leeds')
    expect((await locationsOf(owner)).body).toContainEqual({ _id: id, name: 'Leeds', isCurrent: true })
  })

  test('refuses to move to where it is, also when asked twice at once', async () => {
    const owner = await anOwner()
    const own = owner.connection.location._id
    expect(expectProblem(await move(owner, own), 409).body.detail).toMatch(/already at this location/)
    const id = await aLocationHere()
    const replies = await Promise.all([move(owner, id), move(owner, id), move(owner, id)])
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.detail)).toEqual(
      Array(2).fill(expect.stringMatching(/already at this location/)),
    )
    expect(await peersOf(shop, owner.connection._id)).toHaveLength(2)
  })

  test('refuses to move to a closed location, and to none', async () => {
    const owner = await anOwner()
    const down = await aLocationHere({ isUp: false })
    const drained = await aLocationHere({ isOpen: false })
    for (const id of [down, drained, randomUUID()]) expectProblem(await move(owner, id), 404)
    expect(messageFor(expectProblem(await move(owner, 'Leeds'), 422), 'location')).toMatch(/location/)
    expectProblem(await move(owner, undefined), 422)
    expect(await peersOf(shop, owner.connection._id)).toHaveLength(1)
  })

  test('refuses to move where there is no room, and keeps what it has', async () => {
    const owner = await anOwner()
    const id = await aLocationHere()
    await shop.db
      .updateTable('nodes')
      .set({ ipv4: '10.9.0.0/30', filled_to: 2 })
      .where('id', '=', id)
      .execute()
    expect(expectProblem(await move(owner, id), 409).body.detail).toMatch(/no room/)
    expect((await listOf(shop, owner.token))[0]).toEqual(owner.connection)
  })
})
