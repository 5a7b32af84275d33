import { SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { shopOfFile, startFront } from '#testing/test-shop.ts'

const shop = shopOfFile()

const layers = async () => (await shop.call('GET', '/api/v1/shop/layers')).body
const items = async () => (await shop.call('GET', '/api/v1/shop/items')).body

describe('GET /api/v1/shop/layers', () => {
  test('lists the layers in their order, to anyone', async () => {
    expect(await layers()).toEqual(
      SHIPPED_LAYERS.map(({ id, name, description }) => ({ _id: id, name, description })),
    )
  })
})

describe('GET /api/v1/shop/items', () => {
  test('lists the plans in the order of their layers and of their places there, to anyone', async () => {
    const placeOf = (id: string, layerId: string) =>
      SHIPPED_PLANS.filter((plan) => plan.layerId === layerId).findIndex((plan) => plan.id === id) + 1
    expect(await items()).toEqual(
      SHIPPED_PLANS.map(({ id, name, period, connections, priceMinor, layerId }) => ({
        _id: id,
        name,
        period,
        numOfConnections: connections,
        price: priceMinor,
        layer: { _id: layerId },
        layerOrder: placeOf(id, layerId),
      })),
    )
  })

  test('knows the periods of the specification, and one without an end', async () => {
    const periods = new Set((await items()).map(({ period }: { period: string }) => period))
    expect(periods).toEqual(new Set(['1 week', '31 days', '1 year', 'Ethernity']))
  })

  test('says the same to a customer', async () => {
    const { token } = await aCustomer(shop)
    expect((await shop.call('GET', '/api/v1/shop/items', { token })).body).toEqual(await items())
  })

  test('leaves out a plan that is retired', async () => {
    const [gone] = SHIPPED_PLANS
    const retired = (at: Date | null) =>
      shop.db
        .updateTable('plans')
        .set({ retired_at: at })
        .where('id', '=', gone?.id ?? '')
        .execute()
    await retired(new Date())
    try {
      await expect.poll(items).toHaveLength(SHIPPED_PLANS.length - 1)
    } finally {
      await retired(null)
    }
    await expect.poll(items).toHaveLength(SHIPPED_PLANS.length)
  })
})

describe.each(['/api/v1/shop/layers', '/api/v1/shop/items'])('%s', (path) => {
  const ask = (etag?: string) =>
    fetch(`${shop.url}${path}`, etag === undefined ? {} : { headers: { 'if-none-match': etag } })
  const etagNow = async () => (await ask()).headers.get('etag') ?? ''

  test('is sent once to who keeps it, and asked for each time', async () => {
    const first = await ask()
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const again = await ask(await etagNow())
    expect([again.status, await again.text(), again.headers.get('content-length')]).toEqual([304, '', null])
    expect((await ask('"another"')).status).toBe(200)
  })

  test('is another once a layer is called otherwise, in every process', async () => {
    const second = await startFront(shop)
    onTestFinished(second.stop)
    const before = await etagNow()
    const called = (suffix: string) =>
      sql`update layers set name = trim(trailing '!' from name) || ${suffix}`.execute(shop.db)
    await called('!')
    try {
      const isOther = path.endsWith('layers')
      await expect.poll(async () => (await etagNow()) === before).toBe(!isOther)
      const names = async () => (await second.call('GET', '/api/v1/shop/layers')).body[0].name
      await expect.poll(names).toBe(`${SHIPPED_LAYERS[0]?.name}!`)
    } finally {
      await called('')
    }
    await expect.poll(etagNow).toBe(before)
  })
})

describe('a plan', () => {
  test.each([
    ['price_minor', sql`price_minor + 1`],
    ['connections', sql`connections + 1`],
    ['period', sql`'2 years'`],
    ['name', sql`'Another'`],
  ])('never changes its %s: a customer whose checkout is open pays what it shows', async (column, value) => {
    const change = sql`update plans set ${sql.ref(column)} = ${value}`.execute(shop.db)
    await expect(change).rejects.toThrow('a plan never changes')
  })
})
