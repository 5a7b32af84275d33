import { randomInt } from 'node:crypto'
import type { AgentMinute } from '@hedgerow/contract/agents'
import { expectProblem } from '@hedgerow/testing/problems'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteOldHours, deleteOldMinutes, noteTries } from '#network/nodes/node-history.queries.ts'
import { aNode, type TestAgent } from '#testing/nodes.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const thisMinute = () => Math.floor(Date.now() / 60_000)

const aMinute = (minute: number, but: Partial<AgentMinute> = {}): AgentMinute => ({
  minute,
  peers: 3,
  received: 1_000,
  sent: 9_000,
  processor: 20,
  errors: 0,
  ...but,
})

type Sums = {
  hour: Date
  minutes: number
  peers: number
  received: number
  sent: number
  errors: number
  most: number
}

const hoursOf = async ({ node }: TestAgent): Promise<Sums[]> => {
  const { rows } = await sql<Sums>`
    select hour, minutes, peers::int, received::float8, sent::float8, errors::int, processor_most as most
    from node_hours where node_id = ${node.id} order by hour`.execute(shop.db)
  return rows
}

/** What the hours of minutes that were each said once have to be. */
const summed = (minutes: readonly AgentMinute[]): Sums[] => {
  const hours = Map.groupBy(minutes, ({ minute }) => Math.floor(minute / 60))
  return [...hours]
    .sort(([one], [other]) => one - other)
    .map(([hour, all]) => {
      const sum = (name: keyof AgentMinute) => all.reduce((total, one) => total + one[name], 0)
      return {
        hour: new Date(hour * 3_600_000),
        minutes: all.length,
        peers: sum('peers'),
        received: sum('received'),
        sent: sum('sent'),
        errors: sum('errors'),
        most: Math.max(...all.map(({ processor }) => processor)),
      }
    })
}

describe('the minutes that an agent reports', () => {
  test('add up to its hours, in whatever order they come, how often, how late, and to however many processes at once', async () => {
    const other = await openSecondFront(shop)
    const draw = fc.record({
      ago: fc.uniqueArray(fc.integer({ min: 1, max: 1_430 }), { minLength: 1, maxLength: 60 }),
      again: fc.array(fc.nat(), { maxLength: 30 }),
      parts: fc.integer({ min: 1, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(draw, async ({ ago, again, parts }) => {
        const agent = await aNode(shop)
        const now = thisMinute()
        const said = ago.map((one) =>
          aMinute(now - one, {
            peers: randomInt(200),
            received: randomInt(1e9),
            sent: randomInt(1e9),
            processor: randomInt(101),
            errors: randomInt(5),
          }),
        )
        const sent = [...said, ...again.map((at) => said[at % said.length] as AgentMinute)]
        const size = Math.ceil(sent.length / parts)
        const pieces = Array.from({ length: parts }, (_, at) => sent.slice(at * size, (at + 1) * size))
        const replies = await Promise.all(
          pieces.map((minutes, at) =>
            (at % 2 === 0 ? shop : other).call('POST', '/api/v1/agent/reports', {
              token: agent.secret,
              body: { number: 1 + randomInt(9), connected: [], usage: [], minutes },
            }),
          ),
        )
        expect(replies.map(({ status }) => status)).toEqual(Array(parts).fill(200))
        expect(await hoursOf(agent)).toEqual(summed(said))
      }),
      { numRuns: 15 },
    )
  })

  test('are its own node’s, whatever it says', async () => {
    const [one, other] = [await aNode(shop), await aNode(shop)]
    const minutes = [{ ...aMinute(thisMinute() - 2), node_id: other.node.id, nodeId: other.node.id }]
    expect((await one.report({ minutes })).status).toBe(200)
    expect(await hoursOf(one)).toMatchObject([{ minutes: 1 }])
    expect(await hoursOf(other)).toEqual([])
    expectProblem(
      await shop.call('POST', '/api/v1/agent/reports', {
        body: { number: 1, connected: [], usage: [], minutes },
      }),
      401,
    )
  })

  test('are left where they are older than a day, or still to come', async () => {
    const agent = await aNode(shop)
    const now = thisMinute()
    const minutes = [aMinute(now - 1_445), aMinute(now + 2), aMinute(0)]
    expect((await agent.report({ minutes })).status).toBe(200)
    expect(await hoursOf(agent)).toEqual([])
  })

  test('are not said by an older agent, whose report is taken all the same', async () => {
    const agent = await aNode(shop)
    const body = { number: 1, connected: [], usage: [] }
    const { status } = await shop.call('POST', '/api/v1/agent/reports', { token: agent.secret, body })
    expect(status).toBe(200)
    expect(await hoursOf(agent)).toEqual([])
  })

  test.each([
    ['fewer bytes than none', { received: -1 }],
    ['more bytes than any line carries', { sent: 2e15 }],
    ['half a peer', { peers: 1.5 }],
    ['more peers than a pool has', { peers: 1_000_001 }],
    ['a processor that does more than it can', { processor: 101 }],
    ['errors without an end', { errors: Number.MAX_SAFE_INTEGER }],
    ['a text', { peers: '3' }],
    ['a minute that is none', { minute: -5 }],
  ])('are refused with %s', async (_what, but) => {
    const agent = await aNode(shop)
    expectProblem(await agent.report({ minutes: [{ ...aMinute(thisMinute() - 2), ...but }] }), 422)
    expect(await hoursOf(agent)).toEqual([])
  })

  test('are refused where they are too many', async () => {
    const agent = await aNode(shop)
    const now = thisMinute()
    const minutes = Array.from({ length: 501 }, (_, at) => aMinute(now - 1 - at))
    expectProblem(await agent.report({ minutes }), 422)
    expect((await agent.report({ minutes: minutes.slice(1) })).status).toBe(200)
  })

  test('say how old its lists were then', async () => {
    const agent = await aNode(shop)
    const updated = Math.floor(Date.now() / 1000) - 50 * 3_600
    await shop.call(
      'GET',
      `/api/v1/agent/changes?since=0&wait=0&listTimes=ads:${updated},family:${updated + 90_000}`,
      {
        token: agent.secret,
      },
    )
    await agent.report({ minutes: [aMinute(thisMinute() - 1), aMinute(thisMinute() - 600)] })
    const rows = await shop.db
      .selectFrom('node_minutes')
      .select('lists_age_hours')
      .where('node_id', '=', agent.node.id)
      .orderBy('minute')
      .execute()
    expect(rows.map((row) => row.lists_age_hours)).toEqual([40, 50])
  })
})

test('handshakes that the shop loses are counted beside what the agent says of the same minute', async () => {
  const agent = await aNode(shop)
  const tries = [{ nodeId: agent.node.id, tries: 5, lost: 2 }]
  await Promise.all([noteTries(shop.db, tries), noteTries(shop.db, tries)])
  const minute = await shop.db
    .selectFrom('node_minutes')
    .selectAll()
    .where('node_id', '=', agent.node.id)
    .execute()
  expect(minute.reduce((sum, { lost }) => sum + lost, 0)).toBe(4)
  // As if it were over.
  await sql`update node_minutes set minute = minute - interval '5 minutes' where node_id = ${agent.node.id}`.execute(
    shop.db,
  )
  const at = Math.floor((minute[0]?.minute.getTime() ?? 0) / 60_000) - 5
  for (let i = 0; i < 2; i++) await agent.report({ minutes: [aMinute(at)] })
  const { rows } =
    await sql`select sum(minutes)::int as minutes, sum(tries)::int as tries, sum(lost)::int as lost
    from node_hours where node_id = ${agent.node.id}`.execute(shop.db)
  expect(rows).toEqual([{ minutes: 1, tries: 10, lost: 4 }])
})

test('minutes are kept for a day, so that none is counted twice, and hours for a year', async () => {
  const { node } = await aNode(shop)
  await sql`insert into node_minutes (node_id, minute)
    select ${node.id}, now() - make_interval(mins => n) from generate_series(1, 3000) as n`.execute(shop.db)
  await sql`insert into node_hours (node_id, hour)
    select ${node.id}, now() - make_interval(hours => n) from generate_series(1, 9000) as n`.execute(shop.db)
  await Promise.all([deleteOldMinutes(shop.db), deleteOldMinutes(shop.db), deleteOldHours(shop.db)])
  const countOf = async (table: 'node_minutes' | 'node_hours') =>
    (await shop.db.selectFrom(table).select('node_id').where('node_id', '=', node.id).execute()).length
  expect(await countOf('node_minutes')).toBe(25 * 60 - 1)
  expect(await countOf('node_hours')).toBe(366 * 24 - 1)
})

test('a year of a node, written as it comes, takes less than 5 MB', async () => {
  const own = sql`(select array_agg(id) from nodes)`
  for (let i = 0; i < 3; i++) await aNode(shop)
  const sizeOf = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select (pg_total_relation_size('node_minutes') + pg_total_relation_size('node_hours'))::float8 as bytes`.execute(
      shop.db,
    )
    return rows[0]?.bytes ?? 0
  }
  await sql`truncate node_minutes, node_hours`.execute(shop.db)
  const before = await sizeOf()
  await sql`insert into node_minutes (node_id, minute, peers, received, sent, processor, errors, lists_age_hours, tries, lost)
    select id, date_trunc('minute', now()) - make_interval(mins => n), 900, 30000000000, 90000000000, 60, 3, 40, 20, 1
    from generate_series(1, 25 * 60) as n, unnest(${own}) as id`.execute(shop.db)
  await sql`insert into node_hours (node_id, hour, minutes, peers, peers_most, received, sent, processor, processor_most, errors,
      lists_age_hours, tries, lost)
    select id, date_trunc('hour', now()) - make_interval(hours => n), 60, 54000, 950, 1800000000000, 5400000000000, 3600, 90, 180,
      40, 1200, 60
    from generate_series(1, 366 * 24) as n, unnest(${own}) as id`.execute(shop.db)
  // Each row is written again and again while its hour goes on: as if no page could be used again.
  await sql`update node_hours set minutes = minutes`.execute(shop.db)
  const { rows } = await sql<{ nodes: number }>`select cardinality(${own}) as nodes`.execute(shop.db)
  const perNode = ((await sizeOf()) - before) / (rows[0]?.nodes ?? 1)
  console.log(`a node and year: ${(perNode / 1e6).toFixed(2)} MB`)
  expect(perNode).toBeLessThan(5e6)
})
