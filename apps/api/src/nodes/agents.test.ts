import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentPeer } from '@hedgerow/contract/agents'
import { DAY_MS } from '@hedgerow/domain/dates'
import type { Reply } from '@hedgerow/testing/call'
import { agentWith, aNode, anEnrolment, announceNode, type TestAgent } from '@hedgerow/testing/nodes'
import { aPurchase, connectionsOf } from '@hedgerow/testing/payments'
import { expectProblem } from '@hedgerow/testing/problems'
import { refundAtGateway } from '@hedgerow/testing/refunds'
import { openSecondFront, startTestShop, type TestShop } from '@hedgerow/testing/test-shop'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { renewEnrolment } from './nodes.service.ts'
import { replacePeer } from './replace-peer.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

const enrol = (body: unknown) => shop.call('POST', '/api/v1/agent/enrolments', { body })
const keyCipherOf = () =>
  import('./key-cipher.ts').then(({ createKeyCipher }) => createKeyCipher(shop.settings.keyEncryptionKey))

/** A node with the three connections of a purchase. */
const aBusyNode = async (choice: Parameters<typeof aPurchase>[1] = {}) => {
  const agent = await aNode(shop)
  const purchase = await aPurchase(shop, choice)
  return { agent, ...purchase, connections: await connectionsOf(shop, purchase.paymentId) }
}

/** 1,200 peers of old, like this one. */
const addGone = (peerId: string | undefined) =>
  sql`
    insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted,
      removed_at, replaced_at)
    select gen_random_uuid(), connection_id, node_id, n, public_key, null, preshared_key_encrypted, now(), now()
    from peers, generate_series(1000, 2199) as n where id = ${peerId}`.execute(shop.db)

const peerOf = (peers: readonly AgentPeer[], id: string | undefined): AgentPeer => {
  const peer = peers.find((one) => one.id === id)
  if (!peer) throw new Error('The node was not told of this peer')
  return peer
}

describe('enrolling', () => {
  test('makes a server the node that the token is for', async () => {
    const node = await announceNode(shop, { endpoint: '[2001:db8::1]:443', ipv4: '10.50.0.0/24' })
    const { status, body } = await enrol(anEnrolment(node.token))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: node.id,
      name: node.name,
      listenPort: 443,
      ipv4: '10.50.0.0/24',
      ipv6: 'fd00:77::/64',
      shop: { name: 'Hedgerow', renewUrl: expect.stringContaining(shop.url) },
    })
  })

  test('may be repeated by the same agent, which did not hear the answer', async () => {
    const { token } = await announceNode(shop)
    const body = anEnrolment(token)
    const [first, again] = [await enrol(body), await enrol(body)]
    expect(again.text).toBe(first.text)
  })

  test('works once: of two servers with one token at once, one is refused', async () => {
    const { token } = await announceNode(shop)
    const replies = await Promise.all([1, 2, 3, 4].map(() => enrol(anEnrolment(token))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test('refuses an agent that is another node’s, as a copied server’s is', async () => {
    const first = await aNode(shop)
    const { token } = await announceNode(shop)
    const copy = { token, publicKey: first.publicKey, secret: first.secret }
    const { body } = expectProblem(await enrol(copy), 409)
    expect(body.detail).toContain('state folder')
    expect((await enrol(anEnrolment(token))).status).toBe(200)
  })

  test('begins the numbers of reports anew, whatever the clock of the agent before it was', async () => {
    const { agent, connections } = await aBusyNode()
    await agent.report({ number: Number.MAX_SAFE_INTEGER })
    const { token } = (await renewEnrolment(shop, agent.node.id)) ?? { token: '' }
    const fresh = anEnrolment(token)
    expect((await enrol(fresh)).status).toBe(200)
    const id = connections[0]?.peer_id ?? ''
    await agentWith(shop, agent.node, fresh).report({ number: Date.now(), connected: [id] })
    const seen = await shop.db
      .selectFrom('peers')
      .select('connected_on')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(seen.connected_on).not.toBeNull()
  })

  test('refuses a token that nobody was given, and one that is too old', async () => {
    const old = await announceNode(shop, { hours: -1 })
    expectProblem(await enrol(anEnrolment(old.token)), 401)
    expectProblem(await enrol(anEnrolment(anEnrolment('').secret)), 401)
  })

  test.each([
    ['publicKey', 'short'],
    ['publicKey', 'A'.repeat(44)],
    ['secret', 'x'],
    ['token', 7],
  ])('refuses the %s %j', async (field, value) => {
    const { token } = await announceNode(shop)
    expectProblem(await enrol({ ...anEnrolment(token), [field]: value }), 422)
  })
})

describe('what an agent is told', () => {
  test('are the keys, addresses, filters and ends of what was bought, and nothing of who bought it', async () => {
    const features = { feature1: true, feature2: true, feature4: true }
    const { agent, connections, customer } = await aBusyNode({ features })
    const { peers, text } = await agent.ask(0).then(({ body, text }) => ({ ...body, text }))
    const [first] = connections
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    const shown = body.connections.find(({ _id }: { _id: string }) => _id === first?.id)
    const told = peerOf(peers, first?.peer_id)
    expect(peers).toHaveLength(3)
    expect(told).toEqual({
      id: first?.peer_id,
      publicKey: first?.public_key,
      presharedKey: shown.presharedKey,
      ipv4: expect.any(String),
      ipv6: expect.any(String),
      filters: 5,
      hasPriority: true,
      expiresAt: shown.expirationDate,
      removeAt: new Date(Date.parse(shown.expirationDate) + 3 * DAY_MS).toISOString(),
      isAwaited: false,
    })
    expect(shown.address).toBe(`${told.ipv4}/32, ${told.ipv6}/128`)
    for (const secret of [customer.email, customer.id, shown.clientPrivateKey, shown.name])
      expect(text).not.toContain(secret)
  })

  test('is told at once: a waiting agent hears of a purchase, also one made through another process', async () => {
    const agent = await aNode(shop)
    const other = await openSecondFront(shop)
    const { revision } = await agent.catchUp()
    const answer = agent.ask(revision, 25)
    await aPurchase({ ...shop, ...other })
    const { body } = await answer
    expect(body.peers).toHaveLength(3)
    expect(body.revision).toBeGreaterThan(revision)
  })

  test('is nothing, after the wait, where nothing has changed', async () => {
    const { agent } = await aBusyNode()
    const { revision } = await agent.catchUp()
    const { body } = await agent.ask(revision, 1)
    expect(body).toMatchObject({ revision, hasMore: false, isForgotten: false, peers: [], gone: [] })
  })

  test('waits for nobody who is changing a peer, tells it afterwards, also when nothing came of the change', async () => {
    const { agent, connections } = await aBusyNode()
    const [busy, ...others] = connections.map(({ peer_id }) => peer_id)
    const idsIn = ({ body }: Reply) => body.peers.map(({ id }: AgentPeer) => id).sort()
    const held = await shop.db.startTransaction().execute()
    await sql`select from peers where id = ${busy} for update`.execute(held)
    const first = await agent.ask(0)
    expect(idsIn(first)).toEqual(others.sort())
    const next = agent.ask(first.body.revision, 20)
    await sleep(200)
    const start = performance.now()
    await held.rollback().execute()
    expect(idsIn(await next)).toEqual([busy])
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test('is all of it to one that is ahead of a restored backup, also when changes wait there for their numbers', async () => {
    const { agent } = await aBusyNode()
    const { revision } = await agent.catchUp()
    await sql`update nodes set revision = ${revision - 2} where id = ${agent.node.id}`.execute(shop.db)
    await sql`update peers set revision = null`.execute(shop.db)
    expect((await agent.ask(revision)).body.isForgotten).toBe(true)
    expect((await agent.ask(0)).body.peers).toHaveLength(3)
  })

  test('comes in batches of at most 500, each change once', async () => {
    const { agent, connections } = await aBusyNode()
    const [one] = connections
    await addGone(one?.peer_id)
    const sizes: number[] = []
    const seen = new Set<string>()
    for (let since = 0, more = true; more; ) {
      const { body } = await agent.ask(since)
      sizes.push(body.peers.length + body.gone.length)
      for (const { id } of [...body.peers, ...body.gone]) seen.add(id)
      expect(body.revision).toBeGreaterThan(since)
      since = body.revision
      more = body.hasMore
    }
    expect(sizes).toEqual([500, 500, 203])
    expect(seen.size).toBe(1203)
  })

  test('misses no change, when many are made and asked for at once', async () => {
    const { agent, connections } = await aBusyNode()
    let since = (await agent.catchUp()).revision
    const told = new Map<string, number>()
    let isOver = false
    const listening = (async () => {
      while (!isOver) {
        const { body } = await agent.ask(since, 1)
        since = body.revision
        for (const peer of body.peers) told.set(peer.id, peer.filters)
      }
    })()
    const ids = connections.map(({ id }) => id)
    await shop.db.updateTable('connections').set({ ad_filter: true }).where('id', 'in', ids).execute()
    await Promise.all(
      ids.map(async (id) => {
        for (let n = 0; n < 25; n++) {
          await shop.db.transaction().execute(async (trx) => {
            await trx
              .updateTable('connections')
              .set({ ad_filter_on: n % 2 === 0 })
              .where('id', '=', id)
              .execute()
            await sql`update peers set revision = null where connection_id = ${id}`.execute(trx)
            await sql`select pg_notify('changed', 'node:' || ${agent.node.id})`.execute(trx)
          })
        }
      }),
    )
    await expect.poll(() => [...told.values()]).toEqual([1, 1, 1])
    isOver = true
    await listening
  })

  test('is told as gone what was refunded whole, at once', async () => {
    const { agent, paymentId, connections } = await aBusyNode()
    const { revision } = await agent.catchUp()
    const answer = agent.ask(revision, 25)
    await refundAtGateway(shop, paymentId)
    const { body } = await answer
    expect(body.gone.map(({ id }: AgentPeer) => id).sort()).toEqual(
      connections.map((one) => one.peer_id).sort(),
    )
    expect(body.peers).toEqual([])
  })

  test('is told as gone what was erased with its account', async () => {
    const { agent, customer } = await aBusyNode()
    const { revision } = await agent.catchUp()
    await shop.call('DELETE', '/api/v1/user', {
      token: customer.token,
      body: { email: customer.email, password: customer.password },
    })
    expect((await agent.catchUp(revision)).gone).toHaveLength(3)
  })

  test('keeps what has expired for the days of grace, and no longer', async () => {
    const { agent, connections } = await aBusyNode()
    const [inGrace, over] = connections
    const endedAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
    const end = (id: string | undefined, expires_at: Date) =>
      shop.db
        .updateTable('connections')
        .set({ expires_at })
        .where('id', '=', id ?? '')
        .execute()
    await end(inGrace?.id, endedAgo(2.9))
    await end(over?.id, endedAgo(3.1))
    const { peers, gone } = await agent.catchUp()
    expect(peers.map(({ id }) => id)).toContain(inGrace?.peer_id)
    expect(gone.map(({ id }) => id)).toEqual([over?.peer_id])
  })

  test('is to begin anew, where it knows more than the shop or has been away too long', async () => {
    const { agent } = await aBusyNode()
    const { revision } = await agent.catchUp()
    expect((await agent.ask(revision + 1)).body).toMatchObject({ isForgotten: true, peers: [] })
    await shop.db.updateTable('nodes').set({ horizon: revision }).where('id', '=', agent.node.id).execute()
    expect((await agent.ask(revision - 1)).body.isForgotten).toBe(true)
    expect((await agent.ask(0)).body.isForgotten).toBe(false)
    expect((await agent.ask(0)).body.peers).toHaveLength(3)
  })

  test('comes to its end for an agent that begins anew, though what is forgotten lies on its way', async () => {
    const { agent, connections } = await aBusyNode()
    await addGone(connections[0]?.peer_id)
    const { revision } = await agent.catchUp()
    await shop.db.updateTable('nodes').set({ horizon: 700 }).where('id', '=', agent.node.id).execute()
    const { body } = await agent.ask(500)
    expect(body).toMatchObject({ isForgotten: true, hasMore: true, revision: 1000 })
    expect(body.peers.length + body.gone.length).toBe(500)
    const all = await agent.catchUp(0)
    expect(all).toMatchObject({ revision, hasMore: false, isForgotten: false })
    expect(new Set([...all.peers, ...all.gone].map(({ id }) => id)).size).toBe(1203)
  })

  test('leaves out a peer whose keys do not open, and tells of the others', async () => {
    const { agent, connections } = await aBusyNode()
    const [spoilt] = connections
    await sql`update peers set preshared_key_encrypted = '\\x00' where id = ${spoilt?.peer_id}`.execute(
      shop.db,
    )
    const { peers } = await agent.catchUp()
    expect(peers).toHaveLength(2)
    expect(peers.map(({ id }) => id)).not.toContain(spoilt?.peer_id)
  })

  test('is of its own node only', async () => {
    const { agent, connections } = await aBusyNode()
    const other = await aNode(shop, { ipv4: '10.61.0.0/24' })
    expect((await other.catchUp()).peers).toEqual([])
    const id = connections[0]?.peer_id ?? ''
    await other.report({ connected: [id] })
    const { connected_on } = await shop.db
      .selectFrom('peers')
      .select('connected_on')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(connected_on).toBeNull()
    expect((await agent.catchUp()).peers).toHaveLength(3)
  })

  test('is for agents', async () => {
    const { agent, customer } = await aBusyNode()
    const ask = (token?: string) => shop.call('GET', '/api/v1/agent/changes?since=0&wait=0', { token })
    expectProblem(await ask(), 401)
    expectProblem(await ask(customer.token), 401)
    expectProblem(await shop.call('GET', '/api/v1/user/profile', { token: agent.secret }), 401)
    await shop.db
      .updateTable('nodes')
      .set({ removed_at: new Date() })
      .where('id', '=', agent.node.id)
      .execute()
    expectProblem(await agent.ask(0), 401)
  })

  test.each([
    'since=-1&wait=0',
    'since=0&wait=31',
    'since=x&wait=0',
    'since=1.5&wait=0',
    'wait=0',
    'since=9e99&wait=0',
  ])('is not told of %s', async (query) => {
    const agent = await aNode(shop)
    expectProblem(await shop.call('GET', `/api/v1/agent/changes?${query}`, { token: agent.secret }), 422)
  })

  test('does not hold up the stop of the shop', async () => {
    const agent = await aNode(shop)
    const other = await openSecondFront(shop)
    const { revision } = await agent.catchUp()
    const there = agentWith({ ...shop, ...other }, agent.node, agent)
    const waiting = there.ask(revision, 30)
    await new Promise((ready) => setTimeout(ready, 200))
    await other.stop()
    expect((await waiting).body).toMatchObject({ revision, peers: [] })
  })
})

describe('what an agent reports', () => {
  const statusesOf = async (token: string): Promise<string[]> => {
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
    return body.connections.map(({ status }: { status: string }) => status)
  }

  test('is shown to the customer as a day, never as a time', async () => {
    const { agent, connections, customer } = await aBusyNode()
    const [first, second] = connections
    expect(await statusesOf(customer.token)).toEqual(Array(3).fill('never-connected'))
    expect((await agent.report({ connected: [first?.peer_id ?? '', second?.peer_id ?? ''] })).status).toBe(
      200,
    )
    await sql`update peers set connected_on = connected_on - 1 where id = ${second?.peer_id}`.execute(shop.db)
    expect(await statusesOf(customer.token)).toEqual(['connected', 'idle', 'never-connected'])
  })

  test('is taken once, however often it comes, and never after a later one', async () => {
    const { agent, connections } = await aBusyNode()
    const id = connections[0]?.peer_id ?? ''
    const usage = [{ id, received: 100, sent: 20 }]
    const bytes = async () => {
      const row = await shop.db
        .selectFrom('peers')
        .select(['bytes_received', 'bytes_sent'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return [Number(row.bytes_received), Number(row.bytes_sent)]
    }
    await Promise.all([1, 2, 3].map(() => agent.report({ number: 1000, usage })))
    expect(await bytes()).toEqual([100, 20])
    await agent.report({ number: 999, usage })
    expect(await bytes()).toEqual([100, 20])
    await agent.report({ number: 1001, usage })
    expect(await bytes()).toEqual([200, 40])
  })

  test('may name peers that are gone, or that never were', async () => {
    const agent = await aNode(shop)
    expect((await agent.report({ connected: [randomUUID()] })).status).toBe(200)
  })

  test.each([
    ['an id that is none', { connected: ['x'] }],
    ['too many peers', { connected: Array.from({ length: 501 }, () => randomUUID()) }],
    ['fewer bytes than none', { usage: [{ id: randomUUID(), received: -1, sent: 0 }] }],
    ['no number', { number: 0 }],
  ])('is refused with %s', async (_what, report) => {
    const agent = await aNode(shop)
    expectProblem(await agent.report(report), 422)
  })
})

describe('new keys', () => {
  const replace = async (connectionId: string, nodeId?: string) =>
    replacePeer({ db: shop.db, keyCipher: await keyCipherOf() }, connectionId, nodeId)
  const peersOf = (connectionId: string) =>
    shop.db
      .selectFrom('peers')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .orderBy('created_at')
      .execute()

  test('leave the old ones working until they are first connected', async () => {
    const { agent, connections } = await aBusyNode()
    const { id = '', peer_id: old } = connections[0] ?? {}
    const { revision } = await agent.catchUp()
    await replace(id)
    const both = await agent.catchUp(revision)
    const fresh = both.peers.find(({ isAwaited }) => isAwaited)
    expect(both.peers.map((peer) => peer.id).sort()).toEqual([old, fresh?.id].sort())
    expect(peerOf(both.peers, old).ipv4).not.toBe(fresh?.ipv4)
    const stays = Date.parse(peerOf(both.peers, old).removeAt ?? '') - Date.now()
    expect(stays).toBeGreaterThan(0.99 * DAY_MS)
    expect(stays).toBeLessThanOrEqual(DAY_MS)

    await agent.report({ connected: [fresh?.id ?? ''] })
    const after = await agent.catchUp(both.revision)
    expect(after.gone.map((peer) => peer.id)).toEqual([old])
  })

  test('end the old ones also when the process that took in the report died before it did so', async () => {
    const { agent, connections } = await aBusyNode()
    const { id = '', peer_id: old = '' } = connections[0] ?? {}
    await replace(id)
    const fresh = (await peersOf(id)).find(({ replaced_at }) => replaced_at === null)?.id ?? ''
    const report = { number: 5_000, connected: [fresh] }
    await agent.report(report)
    await sql`update peers set removed_at = null where id = ${old}`.execute(shop.db)
    await sql`delete from free_addresses using peers where id = ${old} and peers.node_id = free_addresses.node_id
      and peers.position = free_addresses.position`.execute(shop.db)
    await agent.report(report)
    expect((await agent.catchUp()).gone.map((peer) => peer.id)).toEqual([old])
  })

  test('leave nothing of the old private key', async () => {
    const { connections } = await aBusyNode()
    const { id = '' } = connections[0] ?? {}
    await replace(id)
    const [old, fresh] = await peersOf(id)
    expect(old?.private_key_encrypted).toBeNull()
    expect(fresh?.private_key_encrypted).not.toBeNull()
  })

  test('made again before they were used take away the unused ones, not those that work', async () => {
    const { agent, connections } = await aBusyNode()
    const { id = '', peer_id: old } = connections[0] ?? {}
    await replace(id)
    const unused = (await peersOf(id)).find(({ replaced_at }) => replaced_at === null)?.id
    await replace(id)
    const { peers, gone } = await agent.catchUp()
    expect(gone.map((peer) => peer.id)).toEqual([unused])
    expect(peers.map((peer) => peer.id)).toContain(old)
    expect(peers).toHaveLength(4)
  })

  test('asked for many times at once leave one that is current', async () => {
    const { connections } = await aBusyNode()
    const { id = '' } = connections[0] ?? {}
    await Promise.all([1, 2, 3, 4, 5].map(() => replace(id)))
    expect((await peersOf(id)).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1)
  })

  test('can be on another node, which is told, and the old node as well', async () => {
    const { agent, connections } = await aBusyNode()
    const other: TestAgent = await aNode(shop, { ipv4: '10.62.0.0/24' })
    const { id = '', peer_id: old } = connections[0] ?? {}
    const { revision } = await agent.catchUp()
    await replace(id, other.node.id)
    const [fresh] = (await other.catchUp()).peers
    expect(fresh).toMatchObject({ isAwaited: true, ipv4: expect.stringMatching(/^10\.62\.0\./) })
    expect((await agent.catchUp(revision)).peers.map((peer) => peer.id)).toEqual([old])
    await other.report({ connected: [fresh?.id ?? ''] })
    expect((await agent.catchUp(revision)).gone.map((peer) => peer.id)).toEqual([old])
  })

  test('are refused for what has ended', async () => {
    const { connections } = await aBusyNode()
    const { id = '' } = connections[0] ?? {}
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    await expect(replace(id)).rejects.toThrow(/expired/)
    expect(await peersOf(id)).toHaveLength(1)
  })
})
