import { SHIPPED_LAYERS } from '@hedgerow/domain/plans'
import { expectProblem } from '@hedgerow/testing/problems'
import { expect, test } from 'vitest'
import { addLayer, changeLayer, removeLayer } from '#catalogue/plans/change-layers.ts'
import { listPlans } from '#catalogue/plans/change-plans.ts'
import { listLayerRows } from '#catalogue/plans/plans.service.ts'
import { type PlannedChange, planChange } from '#catalogue/plans/schedule-plans.ts'
import { aCustomer } from '#testing/customers.ts'
import { connectionsOf, reached } from '#testing/payments.ts'
import { sale, startSale } from '#testing/plans.ts'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TERMS = { name: 'Robin', period: '31 days', connections: 4, priceMinor: 2_550 }

/** A group of two plans. */
const aLayer = async () => {
  const layerId = await addLayer(shop, 'For a village', '')
  const add = async (name: string) =>
    (await planChange(shop, { kind: 'add', layerId, terms: { ...TERMS, name } })).id
  return { layerId, wren: await add('Wren'), robin: await add('Robin') }
}

const change = (planId: string, what: Partial<Extract<PlannedChange, { kind: 'change' }>>) =>
  planChange(shop, { kind: 'change', planId, terms: {}, ...what })

const idsIn = async (layerId: string) =>
  (await listPlans(shop, false)).filter(({ layer_id }) => layer_id === layerId).map(({ id }) => id)

const layersInShop = async ({ call }: Pick<TestShop, 'call'>): Promise<string[]> =>
  (await call('GET', '/api/v1/shop/layers')).body.map(({ name }: { name: string }) => name)

test('a plan that changes is followed by another in its place; what was bought stays', async () => {
  const { layerId, wren, robin } = await aLayer()
  const customer = await aCustomer(shop)
  const bought = await startSale(shop, customer, { id: wren })
  await reached(shop, bought, 'Success')
  const changed = await change(wren, { terms: { priceMinor: 2_600 } })
  expect(changed).toMatchObject({ isNew: true, isDone: true })
  expect(await idsIn(layerId)).toEqual([changed.id, robin])
  expect(await connectionsOf(shop, bought)).toHaveLength(TERMS.connections)
  expectProblem(await sale(shop, await aCustomer(shop), { id: wren }), 409)
})

test('a plan gets another place without being retired, and nothing is new where it was like that', async () => {
  const { layerId, wren, robin } = await aLayer()
  expect(await change(robin, { place: 1 })).toMatchObject({ id: robin, isNew: true })
  expect(await idsIn(layerId)).toEqual([robin, wren])
  expect(await change(robin, { terms: { priceMinor: 2_550 } })).toMatchObject({ id: robin, isNew: false })
  await change(robin, { place: 999 })
  expect(await idsIn(layerId)).toEqual([wren, robin])
})

test('a layer is hidden from the shop once nothing is sold in it, and stays, as there are orders of its plans', async () => {
  const { layerId, wren, robin } = await aLayer()
  await changeLayer(shop, layerId, { name: 'For a hamlet' })
  await expect.poll(() => layersInShop(shop)).toContain('For a hamlet')
  for (const planId of [wren, robin]) await planChange(shop, { kind: 'retire', planId })
  await expect.poll(() => layersInShop(shop)).not.toContain('For a hamlet')
  expect(await removeLayer(shop, layerId)).toBe('has-plans')
  expect((await listPlans(shop, true)).map(({ id }) => id)).toEqual(expect.arrayContaining([wren, robin]))
  expect(await idsIn(layerId)).toEqual([])
})

test('layers have a place each, however many are added at once, and move to any other', async () => {
  const added = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => addLayer(shop, name, '', 1)))
  const rows = await listLayerRows(shop.db)
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1))
  expect(
    rows
      .slice(0, 4)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(added.toSorted())
  const second = SHIPPED_LAYERS[1]?.id ?? ''
  await changeLayer(shop, second, { place: 1, description: 'All of it.' })
  expect((await listLayerRows(shop.db))[0]).toMatchObject({ id: second, description: 'All of it.' })
  expect(await removeLayer(shop, added[0] ?? '')).toBe('removed')
  expect(await removeLayer(shop, added[0] ?? '')).toBe('none')
})
