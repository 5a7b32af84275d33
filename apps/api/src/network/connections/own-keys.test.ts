import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveAway } from '#network/nodes/remove-node.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aNode, peerOf, peersOf } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

const listOf = async (token: string): Promise<Json[]> =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body.connections

const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const [connection, other] = await listOf(customer.token)
  return { ...customer, connection, other, path: `/api/v1/connections/${connection._id}` }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const newKeys = ({ path, token }: Pick<Owner, 'path' | 'token'>, body?: unknown) =>
  shop.call('POST', `${path}/keys`, { token, body })
const move = ({ path, token }: Pick<Owner, 'path' | 'token'>, location: string, more = {}) =>
  shop.call('POST', `${path}/location`, { token, body: { location, ...more } })

const aKey = () => generateKeyPair().publicKey

const withOwnKey = async () => {
  const owner = await anOwner()
  const publicKey = aKey()
  const { status, body } = await newKeys(owner, { publicKey })
  expect(status).toBe(200)
  return { ...owner, publicKey, shown: body as Json }
}

const livingOf = async ({ connection }: Owner) =>
  (await peersOf(shop, connection._id)).filter(({ removed_at }) => removed_at === null)

describe('a key that its customer made', () => {
  test('reaches the node, and the shop has its public half and the preshared key alone', async () => {
    const agent = await aNode(shop)
    const { connection, publicKey, shown, token } = await withOwnKey()
    expect(shown).toMatchObject({ hasOwnKey: true, clientPrivateKey: '' })
    expect(shown.presharedKey).not.toBe(connection.presharedKey)
    expect((await listOf(token))[0]).toEqual(shown)
    const [, fresh] = await peersOf(shop, connection._id)
    expect(fresh).toMatchObject({ public_key: publicKey, private_key_encrypted: null, has_own_key: true })
    const { peers } = await agent.catchUp()
    expect(peerOf(peers, fresh?.id)).toMatchObject({ publicKey, presharedKey: shown.presharedKey })
  })

  test('gives way to keys of the shop by one press', async () => {
    const owner = await withOwnKey()
    const { body } = await newKeys(owner)
    expect(body).not.toHaveProperty('hasOwnKey')
    expect(body.clientPrivateKey).toMatch(/^.{43}=$/)
  })

  test('ends link and address, and there are no others, nor a mail, since there is no file to give', async () => {
    const owner = await anOwner()
    const { token } = owner
    const ask = (end: string) => shop.call('POST', `${owner.path}/${end}`, { token })
    const [{ body: link }, { body: address }] = [await ask('link'), await ask('file-address')]
    expect((await newKeys(owner, { publicKey: aKey() })).body).toMatchObject({ sharedAt: null })
    const shared = { body: { token: link.url.split('#')[1] } }
    expectProblem(await shop.call('POST', '/api/v1/shared', shared), 404)
    expect((await fetch(address.url)).status).toBe(404)
    for (const refused of [
      await ask('link'),
      await ask('file-address'),
      await shop.call('POST', `/api/v1/user/mail/connection/${owner.connection._id}`, { token }),
    ])
      expect(expectProblem(refused, 409).body.detail).toMatch(/^Only you have this connection’s key/)
  })

  test('shows nothing by a link that was made at the very moment', async () => {
    const owner = await anOwner()
    const { body: link } = await shop.call('POST', `${owner.path}/link`, { token: owner.token })
    const { body: address } = await shop.call('POST', `${owner.path}/file-address`, { token: owner.token })
    await sql`update peers set private_key_encrypted = null, has_own_key = true
      where connection_id = ${owner.connection._id}`.execute(shop.db)
    const shared = { body: { token: link.url.split('#')[1] } }
    const { body } = await shop.call('POST', '/api/v1/shared', shared)
    expect(body).toMatchObject({ configuration: null, isUnreadable: true })
    expect((await fetch(address.url)).status).toBe(404)
  })

  test('cannot be stored beside its private half', async () => {
    const { connection } = await withOwnKey()
    const stored = sql`update peers set private_key_encrypted = '\\x00'
      where connection_id = ${connection._id} and has_own_key`.execute(shop.db)
    await expect(stored).rejects.toThrow('own_key_is_not_here')
  })

  test('is told by mail, without any key', async () => {
    const { email, publicKey, shown } = await withOwnKey()
    await queueIsEmpty(shop)
    const mail = await mailbox(shop).latest(email, 'has new keys')
    expect(mail.text).toContain('Only you have the private key.')
    expect(mail.text).not.toContain('Scan')
    for (const secret of [publicKey, shown.presharedKey]) expect(mail.text).not.toContain(secret)
  })
})

describe('a public key that cannot be one', () => {
  test.each([
    '',
    'A'.repeat(43),
    `${'A'.repeat(43)}=`,
    '7P///////////////////////////////////////38=',
    Buffer.alloc(31, 7).toString('base64'),
    'A'.repeat(10_000),
    null,
    7,
    ['x'],
  ])('is refused, and nothing changes: %#', async (publicKey) => {
    const owner = await anOwner()
    const reply = expectProblem(await newKeys(owner, { publicKey }), 422)
    if (typeof publicKey === 'string') expect(messageFor(reply, 'publicKey')).toBe(OUR_MESSAGES.publicKey)
    expectProblem(await move(owner, owner.connection.location._id, { publicKey }), 422)
    expect((await listOf(owner.token))[0]).toEqual(owner.connection)
  })
})

describe('a public key that somebody has', () => {
  const keyOf = async ({ connection }: Owner) => (await peersOf(shop, connection._id)).at(-1)?.public_key

  test('is refused alike, whosever it is: another customer’s own or ours, one’s own, a node’s', async () => {
    const agent = await aNode(shop)
    const [victim, plain, eve] = [await withOwnKey(), await anOwner(), await withOwnKey()]
    const before = await agent.catchUp()
    const refusals = []
    for (const publicKey of [
      victim.publicKey,
      await keyOf(plain),
      (await peersOf(shop, eve.connection._id))[0]?.public_key,
      agent.publicKey,
    ]) {
      for (const body of [
        { publicKey },
        ...(publicKey === victim.publicKey ? [{ publicKey, cutOffOld: true }] : []),
      ])
        refusals.push(expectProblem(await newKeys(eve, body), 409))
    }
    for (const refusal of refusals) expectAlike(refusal, refusals[0] ?? refusal)
    expect((await agent.catchUp(before.revision)).peers).toEqual([])
    expect((await listOf(victim.token))[0]).toEqual(victim.shown)
    expect((await listOf(eve.token))[0]).toEqual(eve.shown)
  })

  test('is refused on another node, too', async () => {
    const victim = await withOwnKey()
    const eve = await anOwner()
    const elsewhere = await aNode(shop, { name: 'Leeds' })
    const named = { publicKey: victim.publicKey }
    expectProblem(await move(eve, elsewhere.node.id, named), 409)
    expect((await elsewhere.catchUp()).peers).toEqual([])
  })

  test('goes to one of two customers who name it at once', async () => {
    const [ada, eve] = [await anOwner(), await anOwner()]
    const publicKey = aKey()
    const replies = await Promise.all([ada, eve].map((one) => newKeys(one, { publicKey })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const { rows } = await sql`select from peers where public_key = ${publicKey}`.execute(shop.db)
    expect(rows).toHaveLength(1)
  })

  test('counts as a try, so that nobody asks for keys one after another', async () => {
    shop = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const [victim, eve] = [await withOwnKey(), await anOwner()]
    const named = { publicKey: victim.publicKey }
    for (let times = 0; times < 20; times++) expectProblem(await newKeys(eve, named), 409)
    expectProblem(await newKeys(eve, named), 429)
  })

  test('is free again for its customer once the node keeps it no longer', async () => {
    const owner = await withOwnKey()
    const { publicKey } = owner
    await newKeys(owner)
    // What it replaced went with it, since it was never used; a key of the shop is the one that works.
    const { body } = await newKeys(owner, { publicKey })
    expect(body).toMatchObject({ hasOwnKey: true })
    await sql`update peers set connected_on = now() where connection_id = ${owner.connection._id}`.execute(
      shop.db,
    )
    await newKeys(owner)
    expectProblem(await newKeys(owner, { publicKey }), 409)
    expect((await newKeys(owner, { publicKey, cutOffOld: true })).status).toBe(200)
    expect((await livingOf(owner)).map(({ public_key }) => public_key)).toEqual([publicKey])
  })
})

describe('another location', () => {
  test('keeps the key that its customer made, and the preshared key: only what is the node’s changes', async () => {
    const owner = await withOwnKey()
    const { publicKey, shown } = owner
    const leeds = await aNode(shop, { name: 'Leeds' })
    const { body } = await move(owner, leeds.node.id)
    expect(body).toEqual({
      ...shown,
      location: { _id: leeds.node.id, name: 'Leeds' },
      address: expect.any(String),
      dns: expect.any(String),
      allowedIPs: expect.any(String),
      serverPublicKey: leeds.publicKey,
      endpoint: 'node.example:51820',
    })
    expect(body.address).not.toBe(shown.address)
    expect((await leeds.catchUp()).peers).toMatchObject([{ publicKey, presharedKey: shown.presharedKey }])
    await queueIsEmpty(shop)
    const mail = await mailbox(shop).latest(owner.email, 'has moved')
    expect(mail.text).toContain('Only you have its key, which stays the same.')
  })

  test('and back again, and once more, with the same key', async () => {
    const owner = await withOwnKey()
    const [leeds, york] = [await aNode(shop, { name: 'Leeds' }), await aNode(shop, { name: 'York' })]
    for (const to of [leeds.node.id, york.node.id, leeds.node.id, york.node.id]) {
      const { status, body } = await move(owner, to)
      expect(status).toBe(200)
      expect(body.presharedKey).toBe(owner.shown.presharedKey)
      await sql`update peers set connected_on = now() where connection_id = ${owner.connection._id}`.execute(
        shop.db,
      )
    }
    const living = await livingOf(owner)
    expect(new Set(living.map(({ node_id }) => node_id)).size).toBe(living.length)
  })

  test('takes another key of theirs', async () => {
    const owner = await withOwnKey()
    const leeds = await aNode(shop, { name: 'Leeds' })
    const publicKey = aKey()
    const { body } = await move(owner, leeds.node.id, { publicKey })
    expect(body).toMatchObject({ hasOwnKey: true })
    expect(body.presharedKey).not.toBe(owner.shown.presharedKey)
    expect((await leeds.catchUp()).peers).toMatchObject([{ publicKey }])
  })

  test('that the operator chooses keeps it, too, and the mail says so', async () => {
    const owner = await withOwnKey()
    const leeds = await aNode(shop, { name: 'Leeds' })
    const home = owner.connection.location._id
    await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', home).execute()
    const keyCipher = createKeyCipher(shop.settings.keyEncryptionKey)
    for await (const { outcome } of moveAway({ db: shop.db, keyCipher }, home)) expect(outcome).toBe('moved')
    const { peers } = await leeds.catchUp()
    expect(peers.filter(({ publicKey }) => publicKey === owner.publicKey)).toHaveLength(1)
    expect((await listOf(owner.token))[0]).toMatchObject({
      hasOwnKey: true,
      presharedKey: owner.shown.presharedKey,
      location: { name: 'Leeds' },
    })
    const mail = await mailbox(shop).latest(owner.email, 'New configurations are waiting')
    expect(mail.text).toContain(`${owner.connection.name}, now at Leeds (only you have its key)`)
    expect(mail.text).toContain(`${owner.other.name}, now at Leeds\n`)
  })
})

test('operators cannot put a key of the shop in the place of one that its customer made', {
  timeout: 120_000,
}, async () => {
  const owner = await withOwnKey()
  const ops = (...args: string[]) => runOps({ ...opsSettings(shop), ...shop.env }, ...args)
  const rekeyed = await ops('connection', 'rekey', owner.connection._id, '--yes')
  expect(rekeyed).toMatchObject({ code: 1, err: expect.stringContaining('only they can make another') })
  const mailed = await ops('connection', 'mail', owner.connection._id)
  expect(mailed).toMatchObject({ code: 1, err: expect.stringContaining('there is no file to mail') })
  const shown = await ops('connection', 'show', owner.connection._id, '--json')
  expect(shown.json).toMatchObject({ hasOwnKey: true, isUnreadable: false })
  expect((await listOf(owner.token))[0]).toEqual(owner.shown)
})
