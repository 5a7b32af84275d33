import { setTimeout } from 'node:timers/promises'
import type { AgentPeer } from '@hedgerow/contract/agents'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deleteEndedConnections } from '#network/connections/connections.service.ts'
import { expireConnection, revokeConnection } from '#network/connections/end-connection.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { moveAway, removeNode } from '#network/nodes/remove-node.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import { eraseAccount } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aNode, type TestAgent } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, connectionsOf, pay, reached } from '#testing/payments.ts'
import { refundAtGateway, sendRefundUpdate } from '#testing/refunds.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

/** An agent that asks all the while, and keeps what it gets as the real one does. */
const follow = (agent: TestAgent) => {
  const held = new Map<string, AgentPeer>()
  let since = 0
  let isStopped = false
  let isRefused = false
  const step = async () => {
    const { status, body } = await agent.ask(since, isStopped ? 0 : 1)
    if (status === 401) {
      isRefused = true
      return false
    }
    if (status !== 200) throw new Error(`The agent was answered ${status}`)
    if (body.isForgotten) {
      held.clear()
      since = 0
      return true
    }
    expect(body.revision).toBeGreaterThanOrEqual(since)
    for (const { id } of body.gone) held.delete(id)
    for (const peer of body.peers) held.set(peer.id, peer)
    since = body.revision
    return body.hasMore || body.peers.length + body.gone.length > 0
  }
  const running = (async () => {
    while (!isStopped && !isRefused) {
      await step()
      const some = [...held.keys()].filter(() => Math.random() < 0.3)
      if (some.length > 0 && !isRefused) await agent.report({ connected: some })
    }
  })()
  return {
    agent,
    held,
    isRefused: () => isRefused,
    stop: async () => {
      isStopped = true
      await running
    },
    settle: async () => {
      while (!isRefused && (await step())) {
        // Until nothing is left to send.
      }
    },
  }
}

const count = async ({ db }: TestShop, query: ReturnType<typeof sql>) =>
  Number(((await query.execute(db)).rows[0] as { count: string }).count)

/** What may never be, no matter who did what at once. */
const wrongIn = async (shop: TestShop) => ({
  withoutOnePeer: await count(
    shop,
    sql`select count(*) from connections where 1 <> (select count(*) from peers
      where connection_id = connections.id and replaced_at is null)`,
  ),
  bothFreeAndUsed: await count(
    shop,
    sql`select count(*) from peers join free_addresses using (node_id, position) where peers.removed_at is null`,
  ),
  lostAddresses: await count(
    shop,
    sql`select coalesce(sum(filled_to - 1 - (select count(*) from free_addresses where node_id = nodes.id)
      - (select count(*) from peers where node_id = nodes.id and removed_at is null)), 0) as count
      from nodes where removed_at is null`,
  ),
  ofNobody: await count(
    shop,
    sql`select count(*) from peers where removed_at is null
      and not exists (select from connections where connections.id = connection_id)`,
  ),
  activeWithoutNode: await count(
    shop,
    sql`select count(*) from connections join peers on connection_id = connections.id
      where replaced_at is null and removed_at is not null and expires_at > now()`,
  ),
  refundedAndKept: await count(
    shop,
    sql`select count(*) from connections join payments on payments.id = payment_id join peers on connection_id = connections.id
      where refunded_minor = charged_minor and peers.removed_at is null and not exists (select from renewals
        join payments as later on later.id = renewals.payment_id
        where renewals.connection_id = connections.id and later.refunded_minor < later.charged_minor)`,
  ),
  numberedTooHigh: await count(
    shop,
    sql`select count(*) from peers join nodes on nodes.id = node_id where peers.revision > nodes.revision`,
  ),
  deadlocks: await count(
    shop,
    sql`select deadlocks as count from pg_stat_database where datname = current_database()`,
  ),
  numberedTwice: await count(
    shop,
    sql`select count(*) - count(distinct (node_id, revision)) as count from peers where revision is not null`,
  ),
})

/** What an agent has gathered is what a question from the beginning answers, and what the database has. */
const expectKnowsAll =
  (shop: TestShop) =>
  async ({ agent, held }: ReturnType<typeof follow>): Promise<void> => {
    const { peers } = await agent.catchUp(0)
    // Whether a peer is still awaited changes by what the agent itself reports, and is not sent again.
    const known = (all: Iterable<AgentPeer>) =>
      [...all].map(({ isAwaited, ...peer }) => peer).sort((one, other) => one.id.localeCompare(other.id))
    expect(known(held.values())).toEqual(known(peers))
    // Old keys end with their connection, before the round takes their peer away.
    const { rows: live } = await sql<{ id: string }>`
      select peers.id from peers join connections on connections.id = connection_id
      where node_id = ${agent.node.id} and removed_at is null and (replaced_at is null or expires_at > now())`.execute(
      shop.db,
    )
    expect([...held.keys()].sort()).toEqual(live.map(({ id }) => id).sort())
  }

const ROUNDS = 4

describe('everything at once on the same connections', { timeout: 60_000 + ROUNDS * 20_000 }, () => {
  test('leaves one peer to each, no address twice, and agents that know exactly the shop’s state', async () => {
    const shop = await startTestShop()
    const deps = { db: shop.db, keyCipher: createKeyCipher(shop.settings.keyEncryptionKey) }
    const followers = [] as ReturnType<typeof follow>[]
    const addNode = async () => followers.push(follow(await aNode(shop)))
    onTestFinished(async () => void (await Promise.allSettled(followers.map((one) => one.settle()))))
    for (let i = 0; i < 3; i++) await addNode()
    const odd: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await addNode()
      const owners = await Promise.all(
        [0, 1].map(() => aPurchase(shop, { connections: 6, features: { feature2: true, feature3: true } })),
      )
      const jobs: Promise<unknown>[] = []
      const note = (what: string, promise: Promise<unknown>) =>
        jobs.push(
          promise.then(
            (reply) => {
              const status = (reply as { status?: unknown } | undefined)?.status
              if (typeof status === 'number' && status >= 500) odd.push(`${what}: ${status}`)
            },
            (error) => odd.push(`${what}: ${error.code ?? ''} ${error.message}`),
          ),
        )
      for (const [i, { customer, paymentId }] of owners.entries()) {
        const rows = await connectionsOf(shop, paymentId)
        const ids = rows.map(({ id }) => id)
        const { token } = customer
        const order = await anOrder(shop, customer, {
          connections: 6,
          features: { feature2: true, feature3: true },
          renew: ids.slice(0, 4).reverse(),
        })
        const later = (work: () => Promise<unknown>) => setTimeout(Math.random() * 400).then(work)
        note(
          'renew',
          pay(shop, customer, order).then(({ status, body, text }) => {
            // Of the two one is erased meanwhile, perhaps before the payment has arrived.
            if (i === 1 && (status === 401 || status === 404)) return
            if (status !== 200) throw new Error(text)
            return reached(shop, body.paymentId, 'Success')
          }),
        )
        for (const id of ids) {
          const path = `/api/v1/connections/${id}`
          const toggle = (feature2: boolean) =>
            shop.call('PUT', path, { token, body: { filters: { feature2 } } })
          for (let n = 0; n < 3; n++)
            note(
              'toggle',
              later(() => toggle(n % 2 === 1)),
            )
          for (let n = 0; n < 2; n++)
            note(
              'keys',
              later(() => shop.call('POST', `${path}/keys`, { token })),
            )
          const nodes = followers.filter((one) => !one.isRefused())
          const to = nodes[Math.floor(Math.random() * nodes.length)]?.agent.node.id
          note(
            'move',
            later(() => shop.call('POST', `${path}/location`, { token, body: { location: to } })),
          )
        }
        note(
          'expire',
          later(() => expireConnection(deps, ids[1] as string)),
        )
        note(
          'revoke',
          later(() => revokeConnection(deps, ids[2] as string)),
        )
        note(
          'refund',
          later(() => refundAtGateway(shop, paymentId)),
        )
        note(
          'refund update',
          later(() => sendRefundUpdate(shop, { paymentId, amountMinor: rows.length, left: 1 })),
        )
        note(
          'past',
          later(async () => {
            await sql`update connections set expires_at = now() - interval '400 days' where id = ${ids[5]}`.execute(
              shop.db,
            )
            await deleteEndedConnections(deps)
          }),
        )
        if (i === 1)
          note(
            'erase',
            later(() => eraseAccount(shop, customer)),
          )
        note(
          'see to',
          later(() => maintainNodes(deps)),
        )
      }
      const leaving = followers.filter((one) => !one.isRefused())[0]?.agent.node.id as string
      note(
        'remove',
        (async () => {
          await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', leaving).execute()
          for await (const _ of moveAway(deps, leaving)) {
            // One by one.
          }
          await removeNode(deps, leaving)
        })(),
      )
      await Promise.all(jobs)
      expect(await wrongIn(shop)).toEqual({
        withoutOnePeer: 0,
        bothFreeAndUsed: 0,
        lostAddresses: 0,
        ofNobody: 0,
        activeWithoutNode: 0,
        refundedAndKept: 0,
        numberedTooHigh: 0,
        numberedTwice: 0,
        deadlocks: 0,
      })
    }
    // What the last report of one agent takes away, another has to hear of.
    await Promise.all(followers.map((one) => one.stop()))
    // PaymentUpdate of refunds still come in for a moment. A change that an agent did not hear of would never be made good.
    await until(async () => {
      await deleteEndedConnections(deps)
      await Promise.all(followers.map((one) => one.settle()))
      await Promise.all(followers.filter((one) => !one.isRefused()).map(expectKnowsAll(shop)))
      return true
    })
    expect(odd).toEqual([])
  })
})

test('what is revoked while it is being extended has ended', async () => {
  const shop = await startTestShop()
  const { paymentId } = await aPurchase(shop)
  const [connection] = await connectionsOf(shop, paymentId)
  const id = connection?.id as string
  const endIn = (db: Db, days: number) =>
    sql`update connections set expires_at = now() + make_interval(days => ${days}) where id = ${id}`.execute(
      db,
    )
  await endIn(shop.db, -1)
  const extending = await shop.db.startTransaction().execute()
  await endIn(extending, 30)
  const revoking = revokeConnection(shop, id)
  await until(() => areWaiting(shop))
  await extending.commit().execute()
  expect(await revoking).toBe(true)
  const [after] = await connectionsOf(shop, paymentId)
  expect(after?.removed_at).toEqual(expect.any(Date))
  expect(after?.expires_at?.getTime()).toBeLessThan(Date.now() + 60_000)
})
