import { randomUUID } from 'node:crypto'
import { SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { connectionsOf, reached } from '#testing/payments.ts'
import { sale, startSale } from '#testing/plans.ts'
import { startTestShop } from '#testing/test-shop.ts'

const [FIRST_LAYER, SECOND_LAYER] = SHIPPED_LAYERS
const [WEEK, MONTH] = SHIPPED_PLANS

const aShop = async () => {
  const shop = await startTestShop()
  const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)
  type Item = { _id: string; name: string; price: number; layer: { _id: string } }
  const items = async (layer = FIRST_LAYER?.id): Promise<Item[]> =>
    (await shop.call('GET', '/api/v1/shop/items')).body.filter((item: Item) => item.layer._id === layer)
  const layers = async (): Promise<string[]> =>
    (await shop.call('GET', '/api/v1/shop/layers')).body.map(({ name }: { name: string }) => name)
  const ids = async () => (await items()).map(({ _id }) => _id)
  return { shop, ops, items, ids, layers }
}

const week = WEEK?.id ?? ''
const month = MONTH?.id ?? ''
const layerId = FIRST_LAYER?.id ?? ''
const TERMS = ['--name', 'Robin', '--period', '31 days', '--connections', '4', '--price', '25.50']

describe('ops plan', () => {
  test('adds a plan, which is sold at once, at its place', async () => {
    const { ops, items } = await aShop()
    const { json } = await ops('plan', 'add', '--layer', layerId, ...TERMS, '--place', '1', '--json')
    await expect
      .poll(async () => (await items())[0])
      .toEqual({
        _id: json.id,
        name: 'Robin',
        period: '31 days',
        numOfConnections: 4,
        price: 2550,
        layer: { _id: layerId },
        layerOrder: 1,
      })
    const last = await ops('plan', 'add', '--layer', layerId, ...TERMS, '--json')
    await expect.poll(async () => (await items()).at(-1)?._id).toBe(last.json.id)
    expect((await ops('plan', 'list')).out).toMatch(
      /^PLAN +LAYER +NAME +PERIOD +CONNECTIONS +PRICE\n.* Robin +31 days +4 +£25\.50\n/,
    )
    const { json: audited } = await ops('audit', 'list', '--subject', json.id, '--json')
    expect(audited.actions).toMatchObject([{ command: 'plan add', arguments: { price: '25.50' } }])
  })

  test('changes a plan by retiring it for another in its place; what was bought stays', async () => {
    const { shop, ops, items, ids } = await aShop()
    const customer = await aCustomer(shop)
    const bought = await startSale(shop, customer, { id: month })
    await reached(shop, bought, 'Success')
    const before = await ids()
    const nobody = await ops('plan', 'change', month, '--price', '26.00')
    expect(nobody.err).toMatch(/will be retired for good, .* Change it\? There is no terminal to answer in/)
    await expect.poll(ids).toEqual(before)
    const { out, code } = await ops('plan', 'change', month, '--price', '26.00', '--yes')
    const follower = /plan ([\da-f-]{36}) is on sale in its place/.exec(out)?.[1]
    expect(code).toBe(0)
    await expect.poll(ids).toEqual(before.map((id) => (id === month ? follower : id)))
    await expect.poll(async () => (await items())[1]).toMatchObject({ price: 2600, name: MONTH?.name })
    expect(await connectionsOf(shop, bought)).toHaveLength(MONTH?.connections ?? 0)
    const { json } = await ops('order', 'list', '--customer', customer.email, '--json')
    expect(json.rows).toMatchObject([
      { what: expect.stringContaining(MONTH?.name ?? ''), total: { minor: 2400 } },
    ])
    expectProblem(await sale(shop, await aCustomer(shop), { id: month }), 409)
    const again = await ops('plan', 'change', month, '--price', '26.00')
    expect(again.err).toBe(`Plan ${month} is no longer on sale. To list those that are: plan list\n`)
    expect(again.code).toBe(1)
  })

  test('of two changes at once, one follows', async () => {
    const { ops, items } = await aShop()
    const count = (await items()).length
    const outcomes = await Promise.all(
      ['7.00', '8.00'].map((price) => ops('plan', 'change', week, '--price', price, '--yes')),
    )
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    await expect.poll(() => items()).toHaveLength(count)
  })

  test('gives a plan another place without retiring it, and says what was so before', async () => {
    const { ops, items, ids } = await aShop()
    expect((await ops('plan', 'change', month, '--place', '1')).out).toBe(
      `Plan ${month} has its new place.\n`,
    )
    await expect.poll(async () => (await ids()).slice(0, 2)).toEqual([month, week])
    expect((await ops('plan', 'change', month, '--price', '24.00')).out).toBe(
      `Nothing changed: plan ${month} was already like that.\n`,
    )
    expect((await ops('plan', 'change', month, '--place', '999', '--json')).json).toEqual({
      outcome: 'moved',
    })
    await expect.poll(async () => (await items()).at(-1)?._id).toBe(month)
  })

  test('retires a plan once it is said to be meant, and hides a layer that nothing is sold in', async () => {
    const { shop, ops, items, layers } = await aShop()
    expect((await ops('plan', 'retire', week)).err).toMatch(/Retire it\? There is no terminal to answer in/)
    expect((await runOpsAtTerminal(opsSettings(shop), 'n\n', 'plan', 'retire', week)).code).toBe(1)
    await expect.poll(() => items()).toHaveLength(3)
    for (const { _id } of await items()) expect((await ops('plan', 'retire', _id, '--yes')).code).toBe(0)
    expect((await ops('plan', 'retire', week)).out).toBe(`Plan ${week} was already retired.\n`)
    await expect.poll(() => items()).toEqual([])
    await expect.poll(() => layers()).not.toContain(FIRST_LAYER?.name)
    expect((await ops('plan', 'list', '--json')).json.plans).toHaveLength(SHIPPED_PLANS.length - 3)
    const all = await ops('plan', 'list', '--all')
    expect(all.out.trim().split('\n')).toHaveLength(SHIPPED_PLANS.length + 1)
    expect(all.out).toMatch(/ STATE\n[\s\S]* retired \d\d\/\d\d\/\d{4}\n[\s\S]* on sale\n/)
  })

  test('knows no plan and no layer that are not there', async () => {
    const { ops } = await aShop()
    for (const id of [randomUUID(), 'nonsense']) {
      expect((await ops('plan', 'retire', id, '--yes')).err).toMatch(/^There is no plan /)
      expect((await ops('plan', 'change', id, '--price', '1.00')).err).toMatch(/^There is no plan /)
      expect((await ops('plan', 'add', '--layer', id, ...TERMS)).err).toMatch(/^There is no layer /)
    }
  })
})

describe('ops layer', () => {
  test('adds, renames, reorders and removes', async () => {
    const { ops, layers } = await aShop()
    const { json } = await ops(
      'layer',
      'add',
      'For a village',
      '--description',
      'All of it.',
      '--place',
      '1',
      '--json',
    )
    await expect.poll(() => layers()).toEqual(SHIPPED_LAYERS.map(({ name }) => name))
    expect((await ops('layer', 'list')).out).toMatch(
      new RegExp(`^LAYER +PLACE +NAME +DESCRIPTION\n${json.id} +1 +For a village +All of it\\.\n`),
    )
    expect((await ops('layer', 'remove', json.id)).out).toBe(`Layer ${json.id} is removed.\n`)
    expect((await ops('layer', 'remove', json.id)).err).toMatch(/^There is no layer /)
    await ops('layer', 'change', SECOND_LAYER?.id ?? '', '--place', '1', '--name', 'For a home')
    await expect.poll(async () => (await layers()).slice(0, 2)).toEqual(['For a home', FIRST_LAYER?.name])
  })

  test('keeps one that plans were sold in', async () => {
    const { ops } = await aShop()
    const { code, err } = await ops('layer', 'remove', layerId)
    expect(err).toMatch(/stays\. Orders refer to its plans/)
    expect(code).toBe(1)
  })

  test('many at once leave every layer a place of its own', async () => {
    const { ops } = await aShop()
    const names = ['One', 'Two', 'Three', 'Four']
    const outcomes = await Promise.all(names.map((name) => ops('layer', 'add', name, '--place', '1')))
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const { json } = await ops('layer', 'list', '--json')
    expect(json.layers.map(({ place }: { place: number }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
