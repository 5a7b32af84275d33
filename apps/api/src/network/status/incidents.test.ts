import type { ShopStatus } from '@hedgerow/contract/status'
import { MOST_OPEN } from '@hedgerow/domain/incident-refusals'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { closeIncident, openIncident, updateIncident } from '#network/status/incidents.service.ts'
import { createStatusReader } from '#network/status/status.service.ts'
import { aNode } from '#testing/nodes.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

const statusOf = async ({ db, settings }: TestShop): Promise<ShopStatus> =>
  (await createStatusReader({ db, settings })()).value
const shown = async (id: string) => (await statusOf(shop)).incidents.find(({ _id }) => _id === id)

const NOW = { text: 'We are looking into it.', places: [], endsAt: undefined }

const opened = async (title: string, given: object = {}, one = shop): Promise<string> => {
  const id = await openIncident(one, { title, ...NOW, startsAt: new Date(), ...given })
  if (typeof id !== 'string') throw new Error(`no node ${id.unknownPlaces}`)
  return id
}

describe('an incident', () => {
  test('is shown to visitors with its updates until it is over, and then as over', async () => {
    const { node } = await aNode(shop, { name: 'Leeds' })
    const id = await opened('No answers in Leeds', { places: [node.name] })
    expect(await shown(id)).toMatchObject({
      title: 'No answers in Leeds',
      places: ['Leeds'],
      isPlanned: false,
      state: 'open',
      endsAt: null,
      updates: [{ text: 'We are looking into it.' }],
    })
    await updateIncident(shop, id, { text: 'A cable was cut.\nIt is being mended.' })
    expect((await shown(id))?.updates.map(({ text }) => text)).toEqual([
      'A cable was cut.\nIt is being mended.',
      'We are looking into it.',
    ])
    expect(await updateIncident(shop, id, { endsAt: inHours(1) })).toBe('not-planned')
    expect(await closeIncident(shop, id, 'The cable is whole.')).toBe(true)
    expect(await shown(id)).toMatchObject({ state: 'over', endsAt: expect.any(String) })
    expect(await closeIncident(shop, id, undefined)).toBe(false)
    expect(await updateIncident(shop, id, { text: 'x' })).toBe('over')
  })

  test('is at places that there are', async () => {
    const incident = { title: 'A', ...NOW, places: ['Atlantis'], startsAt: new Date() }
    expect(await openIncident(shop, incident)).toEqual({ unknownPlaces: ['Atlantis'] })
  })

  test('that is planned shows the place so while it lasts, and ends by itself', async () => {
    const { node } = await aNode(shop, { name: 'York' })
    const stateOfYork = async () => (await statusOf(shop)).places.find(({ name }) => name === 'York')?.state
    const id = await opened('New disks', { places: [node.name], startsAt: inHours(1), endsAt: inHours(2) })
    expect(await shown(id)).toMatchObject({ isPlanned: true, state: 'planned' })
    expect(await stateOfYork()).toBe('up')
    await sql`update incidents set starts_at = now() - interval '1 minute' where id = ${id}`.execute(shop.db)
    expect(await shown(id)).toMatchObject({ state: 'open' })
    expect(await stateOfYork()).toBe('maintenance')
    const later = inHours(5)
    expect(await updateIncident(shop, id, { endsAt: later })).toBeUndefined()
    expect(await shown(id)).toMatchObject({ endsAt: later.toISOString(), updates: [{}] })
    expect(await updateIncident(shop, id, { endsAt: inHours(-1) })).toBe('ends-before')
    await sql`update incidents set ends_at = now() - interval '1 second' where id = ${id}`.execute(shop.db)
    expect(await shown(id)).toMatchObject({ state: 'over' })
    expect(await stateOfYork()).toBe('up')
  })

  test('is small to read: 20 at once, 50 updates of each, and what is not over first', async () => {
    const own = await startTestShop()
    await sql`
      insert into incidents (id, title, places, is_planned, starts_at)
      select gen_random_uuid(), 'Old ' || n, '{}', false, now() - make_interval(days => 1, mins => n)
      from generate_series(1, ${MOST_OPEN - 1}) as n`.execute(own.db)
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => opened('The last', {}, own)))
    const [id = '', ...others] = atOnce.toSorted(
      (a, b) => Number(a === 'too-many-open') - Number(b === 'too-many-open'),
    )
    expect(others).toEqual(Array(4).fill('too-many-open'))
    await sql`insert into incident_updates (id, incident_id, text)
      select gen_random_uuid(), ${id}, 'more' from generate_series(2, 50)`.execute(own.db)
    expect(await updateIncident(own, id, { text: 'one more' })).toBe('too-many-updates')
    await closeIncident(own, id, undefined)
    const { incidents } = await statusOf(own)
    expect(incidents.at(-1)).toMatchObject({ title: 'The last', state: 'over' })
    await sql`update incidents set closed_at = now() - interval '91 days' where id = ${id}`.execute(own.db)
    expect((await statusOf(own)).incidents.map(({ title }) => title)).not.toContain('The last')
  })
})

test('/status.atom tells of incidents as a feed, escaped, and may be kept like the status', async () => {
  const own = await startTestShop()
  await opened('Slow & <b>slower</b>', { text: 'We look\ninto ]]> it.' }, own)
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
