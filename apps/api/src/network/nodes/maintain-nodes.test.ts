import { ADDRESS_REST_DAYS, UNUSED_REST_MINUTES } from '@hedgerow/domain/nodes'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { replacePeer } from '#network/nodes/replace-peer.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { cancel } from '#testing/cancellations.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aNode, announceNode } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import {
  answerChallenge,
  aPurchase,
  aWaitingPurchase,
  CARDS,
  connectionsOf,
  paidWhile,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const OPERATOR = 'operator@hedgerow.example'

/** The round as the shop runs it, now. */
const look = async (shop: TestShop) => {
  await maintainNodes({ db: shop.db })
  await queueIsEmpty(shop)
}

const mailsOf = (shop: TestShop, subject: string) => mailbox(shop).list(OPERATOR, subject)

const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`

const nodesOf = async (shop: TestShop, paymentId: string) => [
  ...new Set((await connectionsOf(shop, paymentId)).map(({ node_id }) => node_id)),
]

const replaced = async (shop: TestShop, connectionId: string) =>
  replacePeer({ db: shop.db, keyCipher: createKeyCipher(shop.settings.keyEncryptionKey) }, connectionId)

describe('a new connection', () => {
  test('goes to the least loaded node that is up', async () => {
    const shop = await startTestShop()
    const [a, b] = [await aNode(shop), await aNode(shop)]
    const first = await aPurchase(shop, { connections: 5 })
    await look(shop)
    const second = await aPurchase(shop, { connections: 3 })
    await look(shop)
    const third = await aPurchase(shop)
    const homes = [first, second, third].map(({ paymentId }) => nodesOf(shop, paymentId))
    expect(await Promise.all(homes)).toEqual([[a.node.id], [b.node.id], [b.node.id]])
  })

  test('does not go to a node that is down, unless the shop itself was away until a moment ago', async () => {
    const shop = await startTestShop()
    const [down, up] = [await aNode(shop), await aNode(shop)]
    await aPurchase(shop)
    await sql`update nodes set seen_at = ${ago('2 minutes')}, load = 0 where id = ${down.node.id}`.execute(
      shop.db,
    )
    await sql`update nodes set load = 1000 where id = ${up.node.id}`.execute(shop.db)
    const first = await aPurchase(shop)
    expect(await nodesOf(shop, first.paymentId)).toEqual([up.node.id])
    await sql`update nodes set is_open = false where id = ${up.node.id}`.execute(shop.db)
    const watched = (interval: string) =>
      sql`update node_watch set watched_since = ${ago(interval)}, looked_at = now()`.execute(shop.db)
    await watched('1 hour')
    const second = await aPurchase(shop)
    expect(await nodesOf(shop, second.paymentId)).not.toContain(down.node.id)
    await watched('0 minutes')
    const third = await aPurchase(shop)
    expect(await nodesOf(shop, third.paymentId)).toEqual([down.node.id])
  })

  test('of a plan goes to the node that is kept for its layer first', async () => {
    const shop = await startTestShop()
    const { id: planId } = planFor('31 days')
    const plan = await shop.db
      .selectFrom('plans')
      .select('layer_id')
      .where('id', '=', planId)
      .executeTakeFirstOrThrow()
    await aNode(shop)
    const kept = await aNode(shop, { layerId: plan.layer_id })
    await sql`update nodes set load = 1000 where id = ${kept.node.id}`.execute(shop.db)
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, { id: planId })
    await reached(shop, paymentId, 'Success')
    expect(await nodesOf(shop, paymentId)).toEqual([kept.node.id])
  })

  test('that was not bought by a plan of its layer does not go to a node that is kept for one', async () => {
    const shop = await startTestShop()
    const { rows } = await sql<{ id: string }>`select id from layers order by position limit 1`.execute(
      shop.db,
    )
    const kept = await aNode(shop, { layerId: rows[0]?.id ?? '' })
    const { paymentId } = await aPurchase(shop)
    expect(await nodesOf(shop, paymentId)).not.toContain(kept.node.id)
  })

  test('does not go to a node whose agent has not enrolled', async () => {
    const shop = await startTestShop()
    const { id } = await announceNode(shop)
    const { paymentId } = await aPurchase(shop)
    expect(await nodesOf(shop, paymentId)).not.toContain(id)
  })
})

describe('a node that falls silent', () => {
  const aSilentShop = async ({ seen = '6 minutes', looked = '1 second' } = {}) => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    await sql`update node_watch set watched_since = ${ago('1 hour')}, looked_at = ${ago(looked)}`.execute(
      shop.db,
    )
    await sql`update nodes set seen_at = ${ago(seen)} where id = ${agent.node.id}`.execute(shop.db)
    return { shop, agent }
  }

  test('is reported once, and once more when it is back', async () => {
    const { shop, agent } = await aSilentShop()
    await look(shop)
    await look(shop)
    expect(await mailsOf(shop, `The node ${agent.node.name} is down`)).toHaveLength(1)
    expect(await mailsOf(shop, 'is back')).toEqual([])
    await agent.ask(0)
    await look(shop)
    await look(shop)
    expect(await mailsOf(shop, `The node ${agent.node.name} is back`)).toHaveLength(1)
    await sql`update nodes set seen_at = ${ago('6 minutes')} where id = ${agent.node.id}`.execute(shop.db)
    await look(shop)
    expect(await mailsOf(shop, 'is down')).toHaveLength(2)
  })

  test('is reported once when two processes look at once', async () => {
    const { shop } = await aSilentShop()
    await Promise.all(Array.from({ length: 4 }, () => maintainNodes({ db: shop.db })))
    await queueIsEmpty(shop)
    expect(await mailsOf(shop, 'is down')).toHaveLength(1)
  })

  test('is not reported when it was the shop that did not run', async () => {
    const { shop } = await aSilentShop({ looked: '6 minutes' })
    await look(shop)
    await look(shop)
    expect(await mailsOf(shop, 'is down')).toEqual([])
  })

  test('is not reported while it counts as up, nor when it never was up', async () => {
    const { shop } = await aSilentShop({ seen: '80 seconds' })
    await announceNode(shop)
    await look(shop)
    expect(await mailsOf(shop, 'is down')).toEqual([])
  })
})

describe('a pool that is nearly full', () => {
  test('is reported once, and again after it had room in between', async () => {
    const shop = await startTestShop()
    const { node } = await aNode(shop, { ipv4: '10.94.0.0/29' })
    await aPurchase(shop, { connections: 3 })
    await look(shop)
    expect(await mailsOf(shop, 'nearly full')).toEqual([])
    await sql`update nodes set ipv4 = '10.94.0.0/29' where id = ${node.id}`.execute(shop.db)
    await sql`insert into free_addresses (node_id, position, available_at)
      select ${node.id}, position, now() + interval '1 day' from generate_series(1000, 1001) as position`.execute(
      shop.db,
    )
    await look(shop)
    await look(shop)
    const mail = await mailbox(shop).latest(OPERATOR, `The node ${node.name} is nearly full`)
    expect(mail.text).toContain(`0 of 5 addresses of ${node.name} are free. 2 more were used lately`)
    expect(await mailsOf(shop, 'nearly full')).toHaveLength(1)
    const flap = async () => {
      await sql`update nodes set ipv4 = '10.94.0.0/24' where id = ${node.id}`.execute(shop.db)
      await look(shop)
      await sql`update nodes set ipv4 = '10.94.0.0/29' where id = ${node.id}`.execute(shop.db)
      await look(shop)
    }
    await flap()
    expect(await mailsOf(shop, 'nearly full')).toHaveLength(1)
    await sql`update nodes set low_notified_at = ${ago('61 minutes')} where id = ${node.id}`.execute(shop.db)
    await flap()
    expect(await mailsOf(shop, 'nearly full')).toHaveLength(2)
  })
})

describe('a paid order without room', () => {
  test('is reported at once, at most once an hour, and is delivered when a node is added', async () => {
    const shop = await startTestShop()
    const customer = await aCustomer(shop)
    const waiting: string[] = []
    const last = await paidWhile(shop, customer, await anOrder(shop, customer), async () => {
      waiting.push((await aWaitingPurchase(shop)).paymentId)
    })
    const mail = await mailbox(shop).latest(OPERATOR, 'A paid order is waiting')
    expect(mail.text).toContain(waiting[0])
    await until(async () => {
      await hurry(shop, 'deliver-payment')
      return (await mailsOf(shop, 'order is waiting')).length === 1
    })
    await sql`update node_watch set waiting_notified_at = ${ago('61 minutes')}`.execute(shop.db)
    await until(async () => {
      await hurry(shop, 'deliver-payment')
      return (await mailsOf(shop, 'order is waiting')).length === 2
    })
    const { node } = await aNode(shop)
    for (const paymentId of [...waiting, last]) {
      await until(async () => {
        await hurry(shop, 'deliver-payment')
        return (await paymentRow(shop, paymentId)).delivered_at
      })
      expect(await nodesOf(shop, paymentId)).toEqual([node.id])
    }
    expect(await mailsOf(shop, 'order is waiting')).toHaveLength(2)
  })

  test('of two at once for the last addresses one is delivered, and the other when room comes', async () => {
    const shop = await startTestShop()
    await sql`update nodes set is_open = false`.execute(shop.db)
    await aNode(shop, { ipv4: '10.95.0.0/29' })
    const customers = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const both = await Promise.all(
      customers.map(async (customer) =>
        startPayment(shop, customer, await anOrder(shop, customer), { pan: CARDS.challenged }),
      ),
    )
    await Promise.all(both.map((paymentId) => answerChallenge(shop, paymentId)))
    for (const paymentId of both) await reached(shop, paymentId, 'Success')
    const counts = async () =>
      (await Promise.all(both.map((paymentId) => connectionsOf(shop, paymentId)))).map(({ length }) => length)
    expect((await counts()).sort()).toEqual([0, 3])
    await sql`update nodes set is_open = true`.execute(shop.db)
    await until(async () => {
      await hurry(shop, 'deliver-payment')
      return (await counts()).every((count) => count === 3)
    })
  })
})

describe('peers whose time is over', () => {
  test('one that was replaced goes after a day, and its address rests', async () => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    const { paymentId } = await aPurchase(shop)
    const [row] = await connectionsOf(shop, paymentId)
    await replaced(shop, row?.id ?? '')
    const { revision } = await agent.catchUp()
    await sql`update peers set replaced_at = ${ago('23 hours')} where replaced_at is not null`.execute(
      shop.db,
    )
    await look(shop)
    expect((await agent.catchUp(revision)).gone).toEqual([])
    await sql`update peers set connected_on = now(), replaced_at = ${ago('24 hours 1 second')} where replaced_at is not null`.execute(
      shop.db,
    )
    await look(shop)
    await expect.poll(async () => (await agent.catchUp(revision)).gone).toMatchObject([{ id: row?.peer_id }])
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from available_at - now()) / 86400)::int as days from free_addresses
      where node_id = ${agent.node.id} and position = ${row?.position}`.execute(shop.db)
    expect(rows).toEqual([{ days: ADDRESS_REST_DAYS }])
  })

  test.each([
    [
      'that was never connected: its address rests minutes',
      'connected_on = null',
      'now()',
      UNUSED_REST_MINUTES,
    ],
    ['that was connected: a week', 'connected_on = now()', 'now()', ADDRESS_REST_DAYS * 1440],
    [
      'whose node may know better: a week',
      'connected_on = null',
      "now() - interval '5 minutes'",
      ADDRESS_REST_DAYS * 1440,
    ],
  ])('one of a cancelled purchase %s', async (_, connected, seen, minutes) => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    const { customer, paymentId } = await aPurchase(shop)
    await sql`update peers set ${sql.raw(connected)}`.execute(shop.db)
    await sql`update nodes set seen_at = ${sql.raw(seen)}`.execute(shop.db)
    expect((await cancel(shop, customer, paymentId)).status).toBe(200)
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from available_at - now()) / 60)::int as minutes from free_addresses
      where node_id = ${agent.node.id} and available_at > now()`.execute(shop.db)
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(Math.abs(row.minutes - minutes)).toBeLessThan(5)
  })

  test('one that is gone is forgotten after a week, and an agent that was away so long has to ask anew', async () => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    const { paymentId } = await aPurchase(shop)
    const [row] = await connectionsOf(shop, paymentId)
    const { revision } = await agent.catchUp()
    await replaced(shop, row?.id ?? '')
    // The agent does not hear of it before it is forgotten.
    await sql`update peers set removed_at = ${ago('6 days 23 hours')}, revision = null where id = ${row?.peer_id}`.execute(
      shop.db,
    )
    const isThere = async () =>
      (await sql`select from peers where id = ${row?.peer_id}`.execute(shop.db)).rows.length === 1
    await look(shop)
    expect(await isThere()).toBe(true)
    await sql`update peers set removed_at = ${ago('7 days 1 second')} where id = ${row?.peer_id}`.execute(
      shop.db,
    )
    await look(shop)
    expect(await isThere()).toBe(false)
    expect((await agent.ask(revision)).body.isForgotten).toBe(true)
    const anew = await agent.catchUp(0)
    expect(anew.peers).toHaveLength(3)
    expect((await agent.ask(anew.revision)).body.isForgotten).toBe(false)
  })

  test('one that a connection still shows is not forgotten', async () => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    const { paymentId, customer } = await aPurchase(shop)
    await agent.catchUp()
    await sql`update peers set removed_at = ${ago('20 days')}`.execute(shop.db)
    await sql`update connections set expires_at = ${ago('20 days')}`.execute(shop.db)
    await look(shop)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { token } = customer
    expect((await shop.call('GET', '/api/v1/user/profile', { token })).body.connections).toHaveLength(3)
    await sql`update connections set expires_at = ${ago('31 days')}`.execute(shop.db)
    await hurry(shop, 'tidy-up')
    await until(async () => (await sql`select from connections`.execute(shop.db)).rows.length === 0)
    await look(shop)
    expect((await sql`select from peers`.execute(shop.db)).rows).toEqual([])
  })
})

describe('the round', () => {
  test('comes round by itself, and counts the peers of each node', async () => {
    const shop = await startTestShop()
    const agent = await aNode(shop)
    await aPurchase(shop)
    await hurry(shop, 'maintain-nodes')
    const loadOf = async () =>
      (
        await shop.db
          .selectFrom('nodes')
          .select('load')
          .where('id', '=', agent.node.id)
          .executeTakeFirstOrThrow()
      ).load
    await until(async () => (await loadOf()) === 3)
    const next = async () =>
      (
        await sql<{ seconds: number }>`
          select extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs
          where task_identifier = 'maintain-nodes' and locked_at is null`.execute(shop.db)
      ).rows
    // It is planned when the run has ended.
    const [planned] = await until(async () => ((await next()).length === 1 ? next() : undefined))
    expect(planned?.seconds).toBeLessThanOrEqual(10)
  })
})
