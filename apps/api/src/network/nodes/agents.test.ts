import type { AgentPeer } from '@hedgerow/contract/agents'
import { DAY_MS } from '@hedgerow/domain/dates'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { aBusyNode, agentWith, aNode, peerOf } from '#testing/nodes.ts'
import { maskOf } from '#testing/orders.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundAtGateway } from '#testing/refunds.ts'
import { openSecondFront, startTestShop, type TestShop } from '#testing/test-shop.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

/** What an agent asks, once the shop has begun to answer it. */
const arrived = async (nodeId: string, ask: () => Promise<Reply>): Promise<{ answer: Promise<Reply> }> => {
  await sql`update nodes set seen_at = null where id = ${nodeId}`.execute(shop.db)
  const answer = ask()
  await until(
    async () =>
      (await sql`select from nodes where id = ${nodeId} and seen_at is not null`.execute(shop.db)).rows[0],
  )
  return { answer }
}

/** 1,200 peers of old, like this one. */
const addGone = (peerId: string | undefined) =>
  sql`
    insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted,
      removed_at, replaced_at)
    select gen_random_uuid(), connection_id, node_id, n, public_key, null, preshared_key_encrypted, now(), now()
    from peers, generate_series(1000, 2199) as n where id = ${peerId}`.execute(shop.db)

describe('what an agent hears', () => {
  test('are the keys, addresses, filters and ends of what was bought, and nothing of who bought it', async () => {
    const features = { feature1: true, feature2: true, feature4: true }
    const { agent, connections, customer } = await aBusyNode(shop, { features })
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

  test('is sent at once: a waiting agent hears of a purchase, also one made through another process', async () => {
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
    const { agent } = await aBusyNode(shop)
    const { revision } = await agent.catchUp()
    const { body } = await agent.ask(revision, 1)
    expect(body).toMatchObject({ revision, hasMore: false, isForgotten: false, peers: [], gone: [] })
  })

  test('does not wait for a change under way, sends it afterwards, also when nothing came of the change', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const [busy, ...others] = connections.map(({ peer_id }) => peer_id)
    const idsIn = ({ body }: Reply) => body.peers.map(({ id }: AgentPeer) => id).sort()
    const held = await shop.db.startTransaction().execute()
    await sql`select from peers where id = ${busy} for update`.execute(held)
    const first = await agent.ask(0)
    expect(idsIn(first)).toEqual(others.sort())
    const next = await arrived(agent.node.id, () => agent.ask(first.body.revision, 25))
    const start = performance.now()
    await held.rollback().execute()
    expect(idsIn(await next.answer)).toEqual([busy])
    // And not when its wait is over.
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('is all of it to one that is ahead of a restored backup, also when changes wait there for their numbers', async () => {
    const { agent } = await aBusyNode(shop)
    const { revision } = await agent.catchUp()
    await sql`update nodes set revision = ${revision - 2} where id = ${agent.node.id}`.execute(shop.db)
    await sql`update peers set revision = null`.execute(shop.db)
    expect((await agent.ask(revision)).body.isForgotten).toBe(true)
    expect((await agent.ask(0)).body.peers).toHaveLength(3)
  })

  test('comes in batches of at most 500, each change once', async () => {
    const { agent, connections } = await aBusyNode(shop)
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
    const { agent, connections } = await aBusyNode(shop)
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
    await shop.db
      .updateTable('connections')
      .set({ options: maskOf('adFilter') })
      .where('id', 'in', ids)
      .execute()
    await Promise.all(
      ids.map(async (id) => {
        for (let n = 0; n < 25; n++) {
          await shop.db.transaction().execute(async (trx) => {
            await trx
              .updateTable('connections')
              .set({ filters_on: n % 2 === 0 ? maskOf('adFilter') : 0 })
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

  test('hears at once that what was refunded whole is gone', async () => {
    const { agent, paymentId, connections } = await aBusyNode(shop)
    const { revision } = await agent.catchUp()
    const answer = agent.ask(revision, 25)
    await refundAtGateway(shop, paymentId)
    const { body } = await answer
    expect(body.gone.map(({ id }: AgentPeer) => id).sort()).toEqual(
      connections.map((one) => one.peer_id).sort(),
    )
    expect(body.peers).toEqual([])
  })

  test('hears that what was erased with its account is gone', async () => {
    const { agent, customer } = await aBusyNode(shop)
    const { revision } = await agent.catchUp()
    await shop.call('DELETE', '/api/v1/user', {
      token: customer.token,
      body: { email: customer.email, password: customer.password },
    })
    expect((await agent.catchUp(revision)).gone).toHaveLength(3)
  })

  test('keeps what has expired for the days of grace, and no longer', async () => {
    const { agent, connections } = await aBusyNode(shop)
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
    const { agent } = await aBusyNode(shop)
    const { revision } = await agent.catchUp()
    expect((await agent.ask(revision + 1)).body).toMatchObject({ isForgotten: true, peers: [] })
    await shop.db.updateTable('nodes').set({ horizon: revision }).where('id', '=', agent.node.id).execute()
    expect((await agent.ask(revision - 1)).body.isForgotten).toBe(true)
    expect((await agent.ask(0)).body.isForgotten).toBe(false)
    expect((await agent.ask(0)).body.peers).toHaveLength(3)
  })

  test('comes to its end for an agent that begins anew, though what is forgotten lies on its way', async () => {
    const { agent, connections } = await aBusyNode(shop)
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
    const { agent, connections } = await aBusyNode(shop)
    const [spoilt] = connections
    await sql`update peers set preshared_key_encrypted = '\\x00' where id = ${spoilt?.peer_id}`.execute(
      shop.db,
    )
    const { peers } = await agent.catchUp()
    expect(peers).toHaveLength(2)
    expect(peers.map(({ id }) => id)).not.toContain(spoilt?.peer_id)
  })

  test('is of its own node only', async () => {
    const { agent, connections } = await aBusyNode(shop)
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
    const { agent, customer } = await aBusyNode(shop)
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
    ['its node is removed', { removed_at: new Date(), agent_hash: null }],
    ['its node awaits another agent', { agent_hash: null }],
  ])('ends at once, while it waits in another process, when %s', async (_, change) => {
    const { agent, paymentId } = await aBusyNode(shop)
    const other = await openSecondFront(shop)
    const { revision } = await agent.catchUp()
    const there = agentWith({ ...shop, ...other }, agent.node, agent)
    const { answer } = await arrived(agent.node.id, () => there.ask(revision, 30))
    await shop.db.updateTable('nodes').set(change).where('id', '=', agent.node.id).execute()
    const answered = await answer
    await refundAtGateway(shop, paymentId)
    expectProblem(answered, 401)
  })

  test.each([
    'since=-1&wait=0',
    'since=0&wait=31',
    'since=x&wait=0',
    'since=1.5&wait=0',
    'wait=0',
    'since=9e99&wait=0',
  ])('does not hear of %s', async (query) => {
    const agent = await aNode(shop)
    expectProblem(await shop.call('GET', `/api/v1/agent/changes?${query}`, { token: agent.secret }), 422)
  })

  test('does not hold up the stop of the shop', async () => {
    const agent = await aNode(shop)
    const other = await openSecondFront(shop)
    const { revision } = await agent.catchUp()
    const there = agentWith({ ...shop, ...other }, agent.node, agent)
    const { answer } = await arrived(agent.node.id, () => there.ask(revision, 30))
    await other.stop()
    expect((await answer).body).toMatchObject({ revision, peers: [] })
  })
})
