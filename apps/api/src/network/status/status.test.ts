import type { ShopStatus } from '@hedgerow/contract/status'
import { formatDate } from '@hedgerow/domain/dates'
import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deleteOldDays, recordMinute } from '#network/nodes/node-days.queries.ts'
import { createStatusReader, KEPT_MS } from '#network/status/status.service.ts'
import { aNode, announceNode } from '#testing/nodes.ts'
import { openSecondFront, type ShopOptions, startTestShop, type TestShop } from '#testing/test-shop.ts'

const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`

/** The shop's own look comes round meanwhile; seconds do not count here. */
const aShop = async (options?: ShopOptions) => {
  const shop = await startTestShop(options)
  await sql`update node_watch set watched_since = ${ago('1 hour')}, looked_at = now()`.execute(shop.db)
  return shop
}

const STATUS = '/api/v1/status'

/** As the page gets it, from a process that has kept nothing yet. */
const statusOf = async ({ db, settings }: TestShop): Promise<ShopStatus> =>
  (await createStatusReader({ db, settings })()).value

/** What nothing else adds to: the minute of the shop's own round is taken. */
const aDay = (shop: TestShop, nodeId: string, daysAgo: number, watched: number, up: number) =>
  sql`insert into node_days values (${nodeId}, (now() at time zone 'Europe/London')::date - ${daysAgo}::int, ${watched}, ${up})
    on conflict (node_id, day) do update set minutes_watched = ${watched}, minutes_up = ${up}`.execute(
    shop.db,
  )

const daysOf = async ({ db }: TestShop, nodeId: string) =>
  (
    await sql<{ watched: number; up: number }>`
      select minutes_watched as watched, minutes_up as up from node_days where node_id = ${nodeId} order by day`.execute(
      db,
    )
  ).rows

const anotherMinute = ({ db }: TestShop) =>
  sql`update node_watch set recorded_minute = ${ago('1 minute')}`.execute(db)

const silent = ({ db }: TestShop, nodeId: string) =>
  sql`update nodes set seen_at = ${ago('10 minutes')} where id = ${nodeId}`.execute(db)

describe('A minute of the nodes’ history', () => {
  test('is counted once, however many look at once, and says whether the node was up', async () => {
    const shop = await aShop()
    const [up, down] = [(await aNode(shop)).node.id, (await aNode(shop)).node.id]
    await silent(shop, down)
    await sql`delete from node_days`.execute(shop.db)
    await anotherMinute(shop)
    await Promise.all(Array.from({ length: 8 }, () => recordMinute(shop.db)))
    expect(await daysOf(shop, up)).toEqual([{ watched: 1, up: 1 }])
    expect(await daysOf(shop, down)).toEqual([{ watched: 1, up: 0 }])
    await anotherMinute(shop)
    await recordMinute(shop.db)
    expect(await daysOf(shop, up)).toEqual([{ watched: 2, up: 2 }])
  })

  test('is not counted again when a clock is put back a little, and is when it was far ahead', async () => {
    const shop = await aShop()
    const { node } = await aNode(shop)
    await sql`delete from node_days`.execute(shop.db)
    const ahead = (interval: string) =>
      sql`update node_watch set recorded_minute = now() + ${interval}::interval`.execute(shop.db)
    await ahead('20 minutes')
    await recordMinute(shop.db)
    expect(await daysOf(shop, node.id)).toEqual([])
    await ahead('3 days')
    await recordMinute(shop.db)
    expect(await daysOf(shop, node.id)).toEqual([{ watched: 1, up: 1 }])
  })

  test('is not held against a node that could not be heard, because the shop did not run', async () => {
    const shop = await aShop()
    const { node } = await aNode(shop)
    await silent(shop, node.id)
    await sql`delete from node_days`.execute(shop.db)
    await sql`update node_watch set watched_since = ${ago('30 seconds')}`.execute(shop.db)
    await anotherMinute(shop)
    await recordMinute(shop.db)
    expect(await daysOf(shop, node.id)).toEqual([])
    expect((await statusOf(shop)).places).toContainEqual(
      expect.objectContaining({ name: node.name, state: 'unknown', uptime: null }),
    )
  })

  test('is of no node that has never enrolled, that was removed, or that is the demonstration', async () => {
    const shop = await aShop()
    const awaiting = await announceNode(shop)
    const { node } = await aNode(shop)
    await sql`update nodes set removed_at = now() where id = ${node.id}`.execute(shop.db)
    await sql`delete from node_days`.execute(shop.db)
    await anotherMinute(shop)
    await recordMinute(shop.db)
    expect((await sql`select from node_days`.execute(shop.db)).rows).toEqual([])
    expect((await statusOf(shop)).places.map(({ name }) => name)).not.toContain(awaiting.name)
  })

  test('is forgotten after 90 days', async () => {
    const shop = await aShop()
    const { node } = await aNode(shop)
    await sql`delete from node_days`.execute(shop.db)
    await aDay(shop, node.id, HISTORY_DAYS, 10, 10)
    await aDay(shop, node.id, HISTORY_DAYS - 1, 20, 20)
    await deleteOldDays(shop.db)
    expect(await daysOf(shop, node.id)).toEqual([{ watched: 20, up: 20 }])
  })
})

describe('GET /api/v1/status', () => {
  test('tells how each place stands and stood, rounded down, and when the shop did not look', async () => {
    const shop = await aShop()
    const { node } = await aNode(shop)
    // This minute is taken: the shop's round adds none while the test runs for less than that.
    await sql`update node_watch set recorded_minute = date_trunc('minute', now())`.execute(shop.db)
    await aDay(shop, node.id, 0, 100, 100)
    await aDay(shop, node.id, 1, 1440, 1439)
    await aDay(shop, node.id, 3, 1440, 0)
    const { firstDay, places } = await statusOf(shop)
    const place = places.find(({ name }) => name === node.name)
    expect(place).toMatchObject({ state: 'up' })
    expect(place?.days).toHaveLength(HISTORY_DAYS)
    expect(place?.days.slice(-5)).toEqual([null, 0, null, 99.93, 100])
    expect(place?.uptime).toBeGreaterThan(51.6)
    expect(place?.uptime).toBeLessThan(51.7)
    // By London's calendar: since the oldest day its clocks may have been changed.
    const oldest = new Date(formatDate(new Date()).split('/').reverse().join('-'))
    oldest.setUTCDate(oldest.getUTCDate() - (HISTORY_DAYS - 1))
    expect(firstDay).toBe(oldest.toISOString().slice(0, 10))
  })

  test('says that a node is down, and goes on with the days of its name when another takes its place', async () => {
    const shop = await aShop()
    const first = (await aNode(shop, { name: 'London' })).node
    await aDay(shop, first.id, 2, 1440, 720)
    await silent(shop, first.id)
    const stateIn = ({ places }: ShopStatus) => places.find(({ name }) => name === 'London')?.state
    expect(stateIn(await statusOf(shop))).toBe('down')
    await sql`update nodes set removed_at = now(), is_open = false where id = ${first.id}`.execute(shop.db)
    expect(stateIn(await statusOf(shop))).toBeUndefined()
    await aNode(shop, { name: 'London' })
    const after = await statusOf(shop)
    expect(stateIn(after)).toBe('up')
    expect(after.places.find(({ name }) => name === 'London')?.days.at(-3)).toBe(50)
  })

  test('shows the demonstration node as such, without a history', async () => {
    const { places } = (await (await aShop()).call('GET', STATUS)).body as ShopStatus
    expect(places).toEqual([{ name: 'demonstration', state: 'demonstration', uptime: null, days: [] }])
  })

  test('reveals no address, key, endpoint, id or number of customers', async () => {
    const shop = await aShop()
    const { node } = await aNode(shop)
    const text = JSON.stringify(await statusOf(shop))
    for (const secret of [node.id, 'node.example', '51820', '10.', 'fd00', 'load', 'peers', 'connections'])
      expect(text).not.toContain(secret)
  })

  test('may be kept by caches, and is not sent again to who has it', async () => {
    const shop = await aShop()
    const first = await shop.call('GET', STATUS)
    expect(first.headers.get('cache-control')).toBe('public, max-age=15')
    expect(first.headers.get('set-cookie')).toBeNull()
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    for (const has of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await fetch(`${shop.url}${STATUS}`, { headers: { 'if-none-match': has } })
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag])
    }
    const other = await fetch(`${shop.url}${STATUS}`, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, await other.json()]).toEqual([200, first.body])
  })

  test('is written out once for a flood, however much there is to say', async () => {
    const shop = await aShop()
    await sql`
      with made as (
        insert into incidents (id, title, places, is_planned, starts_at)
        select gen_random_uuid(), 'Slow', '{}', false, now() from generate_series(1, 50) returning id
      )
      insert into incident_updates (id, incident_id, text)
      select gen_random_uuid(), id, repeat('<b> & ', 333) from made, generate_series(1, 50)`.execute(shop.db)
    // A process that has kept nothing yet.
    const { url } = await openSecondFront(shop)
    const written = vi.spyOn(JSON, 'stringify')
    const escaped = vi.spyOn(String.prototype, 'replace')
    onTestFinished(() => void vi.restoreAllMocks())
    const started = performance.now()
    for (const path of [STATUS, '/status.atom']) {
      const etag = (await fetch(`${url}${path}`)).headers.get('etag') ?? ''
      const again = () => fetch(`${url}${path}`, { headers: { 'if-none-match': etag } })
      // Not more: a machine that takes longer to write it than it is kept writes it for each.
      for (let i = 0; i < 10; i++) await (await again()).text()
    }
    // Once for each time that the database was asked, however slow the machine is.
    const asked = 1 + Math.floor((performance.now() - started) / KEPT_MS)
    const answers = written.mock.results.filter(({ value }) => (value?.length ?? 0) > 1_000_000)
    const entries = escaped.mock.contexts.filter((text) => String(text).length > 100_000)
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.length).toBeLessThanOrEqual(asked)
    expect(entries.length).toBe(50 * answers.length)
  })

  test('asks the database once for a flood', async () => {
    const shop = await aShop()
    const calls = await Promise.all(Array.from({ length: 300 }, () => shop.call('GET', STATUS)))
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]))
    const before = await scans(shop)
    await Promise.all(Array.from({ length: 300 }, () => shop.call('GET', STATUS)))
    expect((await scans(shop)) - before).toBeLessThan(5)
  })
})

/** How often the incidents were read. */
const scans = async ({ db }: TestShop): Promise<number> => {
  await sql`select pg_stat_clear_snapshot()`.execute(db)
  const { rows } = await sql<{ scans: string }>`
    select seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'incidents'`.execute(
    db,
  )
  return Number(rows[0]?.scans)
}

describe('GET /api/v1/check', () => {
  const CHECK = '/api/v1/check'

  test('says which address one shows, and that it is none of ours', async () => {
    const shop = await aShop()
    const { body, headers } = await shop.call('GET', CHECK)
    expect(body).toEqual({ address: '127.0.0.1', place: null })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('names the place of a server of ours: where its agent was seen, its endpoint, what its operator named', async () => {
    const shop = await aShop({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    await announceNode(shop, { name: 'Leeds', endpoint: '203.0.113.7:51820' })
    const { node } = await aNode(shop, { name: 'London', endpoint: 'vpn.example.org:51820' })
    await sql`update nodes set agent_networks = '{198.51.100.3,2001:db8:1:200::/56}', exit_addresses = '{192.0.2.44}'
      where id = ${node.id}`.execute(shop.db)
    const from = async (address: string) => {
      const answer = await fetch(`${shop.url}${CHECK}`, { headers: { 'x-forwarded-for': address } })
      return (await answer.json()) as { address: string; place: string | null }
    }
    expect(await from('198.51.100.3')).toEqual({ address: '198.51.100.3', place: 'London' })
    expect(await from('::ffff:198.51.100.3')).toEqual({ address: '198.51.100.3', place: 'London' })
    expect((await from('2001:db8:1:2ff::9')).place).toBe('London')
    expect((await from('192.0.2.44')).place).toBe('London')
    expect((await from('203.0.113.7')).place).toBe('Leeds')
    expect((await from('198.51.100.4')).place).toBeNull()
    expect((await from('2001:db8:1:300::1')).place).toBeNull()
  })

  test('does not believe a caller who says what address they come from', async () => {
    const shop = await aShop()
    await announceNode(shop, { endpoint: '203.0.113.7:51820' })
    const answer = await fetch(`${shop.url}${CHECK}`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(await answer.json()).toEqual({ address: '127.0.0.1', place: null })
  })
})
