import type { ShopStatus } from '@hedgerow/contract/status'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { MOST_OPEN } from '#network/status/incidents.service.ts'
import { createStatusReader } from '#network/status/status.service.ts'
import { aNode } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const opsOf =
  (one: TestShop) =>
  (...args: string[]) =>
    runOps(opsSettings(one), 'incident', ...args)
const ops = opsOf(shop)

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const statusOf = async ({ db, settings }: TestShop): Promise<ShopStatus> =>
  (await createStatusReader({ db, settings })()).value
const shown = async (id: string) => (await statusOf(shop)).incidents.find(({ _id }) => _id === id)

const opened = async (title: string, ...args: string[]): Promise<string> =>
  (await ops('open', title, '--text', 'We are looking into it.', ...args, '--json')).json.id

describe('ops incident', () => {
  test('tells visitors of an incident, says more, and ends it', async () => {
    const { node } = await aNode(shop, { name: 'Leeds' })
    const id = await opened('No answers in Leeds', '--place', node.name)
    expect(await shown(id)).toMatchObject({
      title: 'No answers in Leeds',
      places: ['Leeds'],
      isPlanned: false,
      state: 'open',
      endsAt: null,
      updates: [{ text: 'We are looking into it.' }],
    })
    const said = await ops('update', id, '--text', 'A cable was cut.\nIt is being mended.')
    expect(said.out).toBe('Published on the status page.\n')
    expect((await shown(id))?.updates.map(({ text }) => text)).toEqual([
      'A cable was cut.\nIt is being mended.',
      'We are looking into it.',
    ])
    expect((await ops('list')).out).toContain('No answers in Leeds')
    expect((await ops('close', id, '--text', 'The cable is whole.')).out).toContain('Closed.')
    expect(await shown(id)).toMatchObject({ state: 'over', endsAt: expect.any(String) })
    expect((await ops('close', id)).out).toBe('It was already over.\n')
    expect((await ops('update', id, '--text', 'x')).err).toContain('The incident is over.')
    expect((await ops('list')).out).not.toContain(id)
    expect((await ops('list', '--all')).out).toContain(id)
    const told = await ops('show', id.toUpperCase())
    expect(told.out).toContain('  It is being mended.')
    const { rows } = await sql<{ command: string; arguments: unknown }>`
      select command, arguments from operator_actions where subject = ${id} and outcome = 'done' order by at`.execute(
      shop.db,
    )
    expect(rows.map(({ command }) => command)).toEqual([
      'incident open',
      'incident update',
      'incident close',
      'incident close',
    ])
    expect(JSON.stringify(rows)).not.toContain('cable')
  })

  test('announces maintenance, shows the place so while it lasts, and lets it end by itself', async () => {
    const { node } = await aNode(shop, { name: 'York' })
    const stateOfYork = async () => (await statusOf(shop)).places.find(({ name }) => name === 'York')?.state
    const id = await opened('New disks', '--place', node.name, '--from', inHours(1), '--until', inHours(2))
    expect(await shown(id)).toMatchObject({ isPlanned: true, state: 'planned' })
    expect(await stateOfYork()).toBe('up')
    await sql`update incidents set starts_at = now() - interval '1 minute' where id = ${id}`.execute(shop.db)
    expect(await shown(id)).toMatchObject({ state: 'open' })
    expect(await stateOfYork()).toBe('maintenance')
    const later = inHours(5)
    expect((await ops('update', id, '--until', later)).code).toBe(0)
    expect(await shown(id)).toMatchObject({ endsAt: later, updates: [{}] })
    await sql`update incidents set ends_at = now() - interval '1 second' where id = ${id}`.execute(shop.db)
    expect(await shown(id)).toMatchObject({ state: 'over' })
    expect(await stateOfYork()).toBe('up')
  })

  test.each([
    ['a place that there is not', ['A', '--text', 'x', '--place', 'Atlantis'], 1],
    ['no text', ['A'], 2],
    ['an empty text', ['A', '--text', ' '], 2],
    ['a text that is too long', ['A', '--text', 'x'.repeat(2_001)], 2],
    ['a title that is too long', ['x'.repeat(101), '--text', 'x'], 2],
    ['characters that move a terminal', ['A', '--text', 'x\u001b[2J'], 2],
    ['an end before its beginning', ['A', '--text', 'x', '--from', inHours(2), '--until', inHours(1)], 2],
    ['an end that is past', ['A', '--text', 'x', '--from', inHours(-2), '--until', inHours(-1)], 2],
    ['what is yet to come without an end', ['A', '--text', 'x', '--from', inHours(2)], 2],
    ['a time in words', ['A', '--text', 'x', '--from', 'tomorrow'], 2],
    ['a time in ten years', ['A', '--text', 'x', '--until', '2036-11-01T10:00Z'], 2],
  ])('refuses %s', async (_, args, code) => {
    const before = (await statusOf(shop)).incidents.length
    expect((await ops('open', ...args)).code).toBe(code)
    expect((await statusOf(shop)).incidents).toHaveLength(before)
  })

  test('refuses what is nobody’s, an update of nothing, and an end of what has none', async () => {
    const nobodys = '00000000-0000-4000-8000-000000000000'
    for (const command of ['show', 'close']) expect((await ops(command, nobodys)).code).toBe(1)
    expect((await ops('show', 'nothing')).code).toBe(1)
    const id = await opened('Slow')
    expect((await ops('update', id)).code).toBe(2)
    expect((await ops('update', id, '--until', inHours(1))).code).toBe(1)
    await ops('close', id)
  })

  test('keeps what visitors read small: 20 at once, 50 updates of each, and puts what is not over first', async () => {
    const own = await startTestShop()
    const ownOps = opsOf(own)
    await sql`
      insert into incidents (id, title, places, is_planned, starts_at)
      select gen_random_uuid(), 'Old ' || n, '{}', false, now() - make_interval(days => 1, mins => n)
      from generate_series(1, ${MOST_OPEN - 1}) as n`.execute(own.db)
    const { id } = (await ownOps('open', 'The last', '--text', 'x', '--json')).json
    expect((await ownOps('open', 'One more', '--text', 'x')).err).toContain('Close one first')
    await sql`insert into incident_updates (id, incident_id, text)
      select gen_random_uuid(), ${id}, 'more' from generate_series(2, 50)`.execute(own.db)
    expect((await ownOps('update', id, '--text', 'one more')).err).toContain('The incident has 50 updates')
    await ownOps('close', id)
    const { incidents } = await statusOf(own)
    expect(incidents.at(-1)).toMatchObject({ title: 'The last', state: 'over' })
    await sql`update incidents set closed_at = now() - interval '91 days' where id = ${id}`.execute(own.db)
    expect((await statusOf(own)).incidents.map(({ title }) => title)).not.toContain('The last')
  })
})

test('/status.atom tells of incidents as a feed, escaped, and may be kept like the status', async () => {
  const own = await startTestShop()
  await opsOf(own)('open', 'Slow & <b>slower</b>', '--text', 'We look\ninto ]]> it.')
  const feed = await fetch(`${own.url}/status.atom`)
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(feed.headers.get('cache-control')).toBe('public, max-age=15')
  const text = await feed.text()
  expect(text).toContain('<title>Slow &amp; &lt;b&gt;slower&lt;/b&gt;</title>')
  expect(text).toContain('into ]]&gt; it.')
  expect(text).toContain(`<link href="${own.url}/status"/>`)
  expect(text.match(/<entry>/g)).toHaveLength(1)
  const again = await fetch(`${own.url}/status.atom`, {
    headers: { 'if-none-match': feed.headers.get('etag') ?? '' },
  })
  expect([again.status, await again.text()]).toEqual([304, ''])
})
