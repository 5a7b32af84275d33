import { formatDate, londonDayBegins } from '@hedgerow/domain/dates'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { renewKeys } from '#network/connections/renew-keys.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { aCustomer, eraseAccount, letProofAge } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aNode, peerOf, type TestAgent } from '#testing/nodes.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

let shop: TestShop
let agent: TestAgent
beforeEach(async () => {
  shop = await startTestShop()
  agent = await aNode(shop)
})

const run = () => renewKeys({ db: shop.db, keyCipher: createKeyCipher(shop.settings.keyEncryptionKey) })

/** Lets days go by for all that renewals look at; connections do not end by it. */
const pass = async (days: number) => {
  const by = sql`make_interval(days => ${days})`
  await sql`update peers set created_at = created_at - ${by}, replaced_at = replaced_at - ${by}`.execute(
    shop.db,
  )
  await sql`update connections set keys_renew_on = keys_renew_on - ${days}::int,
    keys_told_on = keys_told_on - ${days}::int, keys_renewed_at = keys_renewed_at - ${by},
    keys_mailed_at = keys_mailed_at - ${by}, keys_reminded_at = keys_reminded_at - ${by}`.execute(shop.db)
}

/** A customer with three connections, with the first of them. */
const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const connections: Json[] = (await shop.call('GET', '/api/v1/connections', { token: customer.token })).body
  const [{ _id: id }] = connections as [Json]
  return { ...customer, customerId: customer.id, id, ids: connections.map(({ _id }) => _id as string) }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const save = ({ token }: Pick<Owner, 'token'>, id: string, keysEveryDays: unknown) =>
  shop.call('PUT', `/api/v1/connections/${id}`, { token, body: { keysEveryDays } })

const shown = async ({ token, id }: Pick<Owner, 'token' | 'id'>): Promise<Json> =>
  (await shop.call('GET', '/api/v1/connections', { token })).body.find(({ _id }: Json) => _id === id)

/** One whose keys are renewed every 7 days, and its key. */
const aRenewing = async (days = 7) => {
  const owner = await anOwner()
  expect((await save(owner, owner.id, days)).status).toBe(200)
  return { ...owner, key: (await shown(owner)).clientPrivateKey as string }
}

const keyOf = async (owner: Owner) => (await shown(owner)).clientPrivateKey

const livingOf = async (id: string) =>
  (
    await sql<{ id: string; is_current: boolean }>`
      select id, replaced_at is null as is_current from peers where connection_id = ${id} and removed_at is null
      order by replaced_at nulls last`.execute(shop.db)
  ).rows

/** The day before, and the day of a renewal every 7 days. */
const renew = async () => {
  await pass(6)
  await run()
  await pass(1)
  await run()
}

/** Its device connects with its newest keys. */
const connect = async (id: string) => {
  const fresh = (await livingOf(id)).find(({ is_current }) => is_current)
  await agent.report({ connected: [fresh?.id ?? ''] })
}

const mailsTo = async ({ email }: Pick<Owner, 'email'>, words: string) => {
  await hurry(shop, 'mail-keys-renewed')
  await queueIsEmpty(shop)
  return mailbox(shop).list(email, words)
}

describe('how often keys are renewed', () => {
  test('is chosen for a connection, shown with the next day, and is off again', async () => {
    const owner = await anOwner()
    expect(await shown(owner)).not.toHaveProperty('keyRenewal')
    const { status, body } = await save(owner, owner.id, 30)
    expect([status, body.keyRenewal]).toEqual([
      200,
      { everyDays: 30, nextOn: expect.any(String), lastAt: null },
    ])
    const days = (Date.parse(body.keyRenewal.nextOn) - Date.now()) / 86_400_000
    expect(Math.abs(days - 30)).toBeLessThan(2)
    expect((await save(owner, owner.id, null)).body).not.toHaveProperty('keyRenewal')
  })

  test('is kept in the account’s activity when it changes, and not when it stays', async () => {
    const owner = await anOwner()
    await save(owner, owner.id, 30)
    await save(owner, owner.id, 30)
    await save(owner, owner.id, 7)
    const { rows } = await sql`select from security_events where customer_id = ${owner.customerId}
      and kind = 'key-renewal-changed'`.execute(shop.db)
    expect(rows).toHaveLength(2)
  })

  test('is refused to others, for other periods, without a fresh proof, and for what has ended', async () => {
    const owner = await anOwner()
    expectProblem(await save(await aCustomer(shop), owner.id, 7), 404)
    for (const days of [0, 8, 365, '7', -7]) expectProblem(await save(owner, owner.id, days), 422)
    await letProofAge(shop, owner)
    expectProblem(await save(owner, owner.id, 7), 403)
    await sql`update connections set expires_at = now() - interval '1 hour' where id = ${owner.id}`.execute(
      shop.db,
    )
    expectProblem(await save(owner, owner.id, 7), 409)
    expect(await shown(owner)).not.toHaveProperty('keyRenewal')
  })

  test('is off with a key that only the customer has, and cannot be turned on', async () => {
    const owner = await anOwner()
    await save(owner, owner.id, 30)
    const { publicKey } = generateKeyPair()
    const own = await shop.call('POST', `/api/v1/connections/${owner.id}/keys`, {
      token: owner.token,
      body: { publicKey },
    })
    expect(own.status).toBe(200)
    expect(own.body).not.toHaveProperty('keyRenewal')
    expectProblem(await save(owner, owner.id, 7), 409)
  })

  test('of old keys leaves the time for an email first', async () => {
    const owner = await anOwner()
    await pass(300)
    await save(owner, owner.id, 7)
    await run()
    await run()
    expect((await shown(owner)).keyRenewal.lastAt).toBeNull()
    expect(await mailsTo(owner, 'New keys are coming')).toHaveLength(0)
    await pass(1)
    await run()
    expect(await mailsTo(owner, 'New keys are coming')).toHaveLength(1)
    await pass(1)
    await run()
    expect((await shown(owner)).keyRenewal.lastAt).not.toBeNull()
  })
})

describe('a renewal', () => {
  test('comes on its day, and the old keys work until a device has the new ones', async () => {
    const owner = await aRenewing()
    await pass(6)
    await run()
    expect(await keyOf(owner)).toBe(owner.key)
    await pass(1)
    await run()
    const { clientPrivateKey, keyRenewal, areKeysWaiting } = await shown(owner)
    expect(clientPrivateKey).not.toBe(owner.key)
    expect([keyRenewal, areKeysWaiting]).toEqual([
      { everyDays: 7, nextOn: null, lastAt: expect.any(String) },
      true,
    ])
    const { peers, revision } = await agent.catchUp()
    const living = await livingOf(owner.id)
    const old = peerOf(peers, living.find(({ is_current }) => !is_current)?.id)
    // For months, perhaps: the node does not look for it each second.
    expect(peers.map(({ isAwaited }) => isAwaited)).toEqual(peers.map(() => false))
    const end = Date.parse((await shown(owner)).expirationDate)
    expect(Date.parse(old.expiresAt ?? '')).toBe(end)
    expect(Date.parse(old.removeAt ?? '')).toBeGreaterThan(end)
    await pass(200)
    await maintainNodes(shop)
    expect(await livingOf(owner.id)).toHaveLength(2)
    await connect(owner.id)
    expect(await livingOf(owner.id)).toHaveLength(1)
    expect((await agent.catchUp(revision)).gone).toHaveLength(1)
    expect(await shown(owner)).not.toHaveProperty('areKeysWaiting')
  })

  test('leaves the link and the file address, which give the new keys', async () => {
    const owner = await aRenewing()
    const path = `/api/v1/connections/${owner.id}`
    const { url } = (await shop.call('POST', `${path}/file-address`, { token: owner.token })).body
    const link = (await shop.call('POST', `${path}/link`, { token: owner.token })).body.url.split('#')[1]
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const fetchAgain = () => fetch(url, { headers: { 'if-none-match': etag } })
    expect((await fetchAgain()).status).toBe(304)
    await renew()
    const changed = await fetchAgain()
    const key = await keyOf(owner)
    expect(key).not.toBe(owner.key)
    expect([changed.status, (await changed.text()).includes(key)]).toEqual([200, true])
    const opened = (await shop.call('POST', '/api/v1/shared', { body: { token: link } })).body
    expect(opened.configuration.clientPrivateKey).toBe(key)
  })

  test('comes once, however many look at once, twice, or while keys are made by hand', async () => {
    const owner = await aRenewing()
    await pass(6)
    await Promise.all([run(), run(), run()])
    await pass(1)
    const byHand = shop.call('POST', `/api/v1/connections/${owner.id}/keys`, { token: owner.token })
    await Promise.all([run(), byHand, run(), run()])
    await run()
    const living = await livingOf(owner.id)
    expect(living.length).toBe(2)
    expect(living.filter(({ is_current }) => is_current)).toHaveLength(1)
    const { rows } = await sql`select from peers where connection_id = ${owner.id}`.execute(shop.db)
    // What was renewed first and replaced by hand right after was never used, and is gone.
    expect(rows.length).toBeLessThanOrEqual(3)
  })

  test('is counted from keys made by hand, after which the old ones have a day', async () => {
    const owner = await aRenewing()
    await renew()
    await shop.call('POST', `/api/v1/connections/${owner.id}/keys`, { token: owner.token })
    const key = await keyOf(owner)
    const { rows } = await sql<{ is_kept: boolean }>`select is_kept from peers
      where connection_id = ${owner.id} and removed_at is null`.execute(shop.db)
    expect(rows.map(({ is_kept }) => is_kept)).toEqual([false, false])
    await pass(5)
    await run()
    expect(await keyOf(owner)).toBe(key)
    expect((await shown(owner)).keyRenewal.nextOn).not.toBeNull()
  })

  test('waits while a device has not taken the last ones, and goes on once it has, after another email', async () => {
    const owner = await aRenewing()
    await renew()
    const key = await keyOf(owner)
    await pass(30)
    await run()
    // The next email for the same connection would take the place of one that has not left.
    await queueIsEmpty(shop)
    await pass(1)
    await run()
    expect(await keyOf(owner)).toBe(key)
    await connect(owner.id)
    await run()
    expect(await keyOf(owner)).toBe(key)
    await pass(1)
    await run()
    await pass(1)
    await run()
    expect(await keyOf(owner)).not.toBe(key)
    expect(await mailsTo(owner, 'New keys are coming')).toHaveLength(2)
  })

  test('does not come for what has ended, was cut off, is turned off, cannot be opened or whose account is gone', async () => {
    const [ended, cutOff, off, closed, unreadable] = [
      await aRenewing(),
      await aRenewing(),
      await aRenewing(),
      await aRenewing(),
      await aRenewing(),
    ]
    await pass(6)
    await run()
    await pass(1)
    await sql`update connections set expires_at = now() - interval '1 minute' where id = ${ended.id}`.execute(
      shop.db,
    )
    await sql`update peers set removed_at = now() where connection_id = ${cutOff.id}`.execute(shop.db)
    await save(off, off.id, null)
    await eraseAccount(shop, closed)
    await sql`update peers set private_key_encrypted = '\\x00' where connection_id = ${unreadable.id}`.execute(
      shop.db,
    )
    await run()
    for (const { id } of [ended, cutOff, off, unreadable]) {
      const { rows } = await sql`select from peers where connection_id = ${id}`.execute(shop.db)
      expect(rows).toHaveLength(1)
    }
  })

  test('waits for a node that is silent, or has too little room, and holds no other up', async () => {
    const owner = await aRenewing()
    await pass(6)
    await run()
    await pass(1)
    await sql`update nodes set seen_at = now() - interval '1 hour' where id = ${agent.node.id}`.execute(
      shop.db,
    )
    await run()
    expect(await keyOf(owner)).toBe(owner.key)
    await sql`update nodes set seen_at = now(), filled_to = 4094 where id = ${agent.node.id}`.execute(shop.db)
    await sql`update free_addresses set available_at = now() + interval '1 hour' where node_id = ${agent.node.id}`.execute(
      shop.db,
    )
    await run()
    expect(await keyOf(owner)).toBe(owner.key)
    await sql`update free_addresses set available_at = now() where node_id = ${agent.node.id}`.execute(
      shop.db,
    )
    await sql`insert into free_addresses (node_id, position) select ${agent.node.id}, n from generate_series(2000, 3000) as n
      on conflict do nothing`.execute(shop.db)
    await run()
    expect(await keyOf(owner)).not.toBe(owner.key)
  })
})

describe('a customer whose keys are renewed', () => {
  test('is emailed before and after, once for all connections of the day, without a key', async () => {
    const owner = await anOwner()
    for (const id of owner.ids) await save(owner, id, 7)
    const { nextOn } = (await shown(owner)).keyRenewal
    await pass(6)
    await run()
    await run()
    const [before] = await mailsTo(owner, 'New keys are coming')
    expect(before?.subject).toBe('New keys are coming for 3 of your connections')
    const soon = await mailbox(shop).latest(owner.email, 'New keys are coming')
    // By noon: in the week of a clock change a day before midnight is another time.
    const day = new Date(londonDayBegins(nextOn).getTime() - 5.5 * 86_400_000)
    expect(soon.text).toContain(`Hedgerow 1: new keys on ${formatDate(day)}`)
    await pass(1)
    await run()
    await run()
    expect(await mailsTo(owner, 'New keys for 3')).toHaveLength(1)
    const after = await mailbox(shop).latest(owner.email, 'New keys for 3')
    expect(after.text).toContain('Hedgerow 1: scan its new code, or import its new file')
    expect(after.text).not.toContain(await keyOf(owner))
    expect(after.attachments).toEqual([])
    expect(await mailsTo(owner, 'New keys')).toHaveLength(2)
  })

  test('is told of a device that has them already, and of one that fetches them', async () => {
    const owner = await anOwner()
    for (const id of owner.ids) await save(owner, id, 7)
    const [taken = '', fetches = ''] = owner.ids
    await shop.call('POST', `/api/v1/connections/${fetches}/file-address`, { token: owner.token })
    await renew()
    await connect(taken)
    await mailsTo(owner, 'New keys for 3')
    const { text } = await mailbox(shop).latest(owner.email, 'New keys for 3')
    expect(text).toContain('its device uses the new keys already')
    expect(text).toContain('a device that fetches its file takes the new keys by itself')
  })

  test('is reminded once where the new keys are not used, and not where they are', async () => {
    const owner = await anOwner()
    const [used = '', unused = ''] = owner.ids
    for (const id of [used, unused]) await save(owner, id, 7)
    await renew()
    await mailsTo(owner, 'New keys for 2')
    await connect(used)
    await pass(8)
    await run()
    await run()
    await pass(8)
    await run()
    const mails = await mailsTo(owner, 'still')
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Hedgerow \d still has old keys$/),
    ])
  })
})
