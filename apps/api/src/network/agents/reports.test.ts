import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findConnectionFacts } from '#desk/connections/connection-facts.queries.ts'
import { forgetUsedTwice } from '#network/nodes/node-watch.queries.ts'
import { aBusyNode, aNode } from '#testing/nodes.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

describe('what an agent reports', () => {
  const statusesOf = async (token: string): Promise<string[]> => {
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
    return body.connections.map(({ status }: { status: string }) => status)
  }

  test('is shown to the customer as a day, never as a time', async () => {
    const { agent, connections, customer } = await aBusyNode(shop)
    const [first, second] = connections
    expect(await statusesOf(customer.token)).toEqual(Array(3).fill('never-connected'))
    expect((await agent.report({ connected: [first?.peer_id ?? '', second?.peer_id ?? ''] })).status).toBe(
      200,
    )
    await sql`update peers set connected_on = connected_on - 1 where id = ${second?.peer_id}`.execute(shop.db)
    expect(await statusesOf(customer.token)).toEqual(['connected', 'idle', 'never-connected'])
  })

  test('is taken once, however often it comes, and never after a later one', async () => {
    const { agent, connections } = await aBusyNode(shop)
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

  test('of a connection that two devices use at once is shown to its customer and to operators, and forgotten within minutes', async () => {
    const { agent, connections, customer } = await aBusyNode(shop)
    const [first] = connections
    const shown = async () => {
      const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
      const ofOperators = await findConnectionFacts(shop.db, first?.id ?? '')
      const ofCustomer = body.connections.map(({ isUsedTwice }: { isUsedTwice?: true }) => isUsedTwice)
      return [ofOperators?.is_used_twice, ...ofCustomer]
    }
    const nothing = [false, undefined, undefined, undefined]
    const stranger = await aNode(shop)
    await stranger.report({ usedTwice: [first?.peer_id ?? ''] })
    expect(await shown()).toEqual(nothing)
    for (let i = 0; i < 2; i++) await agent.report({ usedTwice: [first?.peer_id ?? '', randomUUID()] })
    expect(await shown()).toEqual([true, true, undefined, undefined])
    const age = (interval: string) =>
      sql`update peers_used_twice set seen_at = seen_at - ${interval}::interval`.execute(shop.db)
    const kept = async () => (await shop.db.selectFrom('peers_used_twice').selectAll().execute()).length
    await age('2 minutes')
    await forgetUsedTwice(shop.db)
    expect(await shown()).toEqual([true, true, undefined, undefined])
    await age('2 minutes')
    expect(await shown()).toEqual(nothing)
    await forgetUsedTwice(shop.db)
    expect(await kept()).toBe(0)
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
