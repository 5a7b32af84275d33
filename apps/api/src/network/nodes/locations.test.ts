import { describe, expect, test } from 'vitest'
import { aLocation } from '#testing/locations.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

type Shown = { _id: string; name: string; hasRoom: boolean; timeZone?: string; country?: string }

const ask = (shop: TestShop, token?: string) => shop.call('GET', '/api/v1/locations', { token })
const namesOf = async (shop: TestShop) => (await ask(shop)).body.map(({ name }: Shown) => name)

describe('GET /api/v1/locations', () => {
  test('names the places where connections are sold, to anyone, and for a while', async () => {
    const shop = await startTestShop()
    const [london, amsterdam] = await Promise.all([
      aLocation(shop, { name: 'London', timeZone: 'Europe/London' }),
      aLocation(shop, { name: 'Amsterdam' }),
    ])
    await aLocation(shop, { name: 'Down', isUp: false })
    await aLocation(shop, { name: 'Drained', isOpen: false })
    const { status, body, headers } = await ask(shop)
    expect(status).toBe(200)
    expect(body).toEqual([
      { _id: amsterdam, name: 'Amsterdam', hasRoom: true },
      { _id: london, name: 'London', country: 'GB', timeZone: 'Europe/London', hasRoom: true },
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=30')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('says nothing of who is on them, nor where they answer', async () => {
    const shop = await startTestShop()
    await aLocation(shop, { name: 'London' })
    expect(JSON.stringify((await ask(shop)).body)).not.toMatch(/endpoint|ipv|key|load|peers/i)
  })

  test('says where there is no room', async () => {
    const shop = await startTestShop()
    const full = await aLocation(shop, { name: 'Full' })
    await shop.db.updateTable('nodes').set({ filled_to: 65_534 }).where('id', '=', full).execute()
    expect((await ask(shop)).body).toEqual([{ _id: full, name: 'Full', hasRoom: false }])
  })

  test('hears within seconds that a place was drained', async () => {
    const shop = await startTestShop()
    const [london] = await Promise.all([
      aLocation(shop, { name: 'London' }),
      aLocation(shop, { name: 'Oslo' }),
    ])
    expect(await namesOf(shop)).toEqual(['London', 'Oslo'])
    await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', london).execute()
    await expect.poll(() => namesOf(shop)).toEqual(['Oslo'])
  })

  test('says that the demonstration node is none', async () => {
    const shop = await startTestShop()
    expect((await ask(shop)).body).toMatchObject([{ name: 'demonstration', isDemonstration: true }])
  })

  test('answers with a list, where nothing is open', async () => {
    const shop = await startTestShop()
    await shop.db.updateTable('nodes').set({ is_open: false }).execute()
    expect((await ask(shop)).body).toEqual([])
  })
})
