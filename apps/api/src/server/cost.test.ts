import { judgeAll } from '@hedgerow/testing/cost/judge-all'
import { fuzzParsers } from '@hedgerow/testing/cost/parsers'
import { pick } from '@hedgerow/testing/cost/pick'
import { fewOrAll, TEST_SEED } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type MeasuredShop, startMeasuredShop } from '#testing/fuzz/measured-shop.ts'
import { SHOP_PARSERS } from '#testing/fuzz/parsers.ts'
import { type HostileGroup, hostileToShop, type Prepared, prepareShop } from '#testing/fuzz/shop-requests.ts'
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts'

/** The whole of it is `npm run fuzz`: here so many of each kind of hostile request are drawn for each call. */
const OF_EACH_KIND = fewOrAll(1, 5)
const MOST = fewOrAll(20, 1_000)
const TEXTS = fewOrAll(3, 15)
const PATIENCE = { timeout: 300_000 }

let database: TestDatabase
let shop: MeasuredShop
let prepared: Prepared
let groups: HostileGroup[]

beforeAll(async () => {
  database = await cloneDatabase()
  shop = await startMeasuredShop(database.url)
  prepared = await prepareShop(shop)
  groups = await hostileToShop(shop, prepared)
}, PATIENCE.timeout)

afterAll(async () => {
  await shop?.stop()
  await database?.drop()
})

const judgeDrawn = async (where: MeasuredShop, drawn: readonly HostileGroup[]): Promise<string[]> => {
  const findings: string[] = []
  for (const { base, kinds, random } of drawn) {
    const requests = [
      ...kinds.flatMap((kind) => pick(kind, OF_EACH_KIND, TEST_SEED)),
      ...random(OF_EACH_KIND, TEST_SEED),
    ]
    const url = base === 'shop' ? where.url : where.metricsUrl
    findings.push(...(await judgeAll(where.program, url, requests)))
  }
  return findings
}

test('no request to the shop costs more than 50 ms or 20 MB, or is met with a fault', PATIENCE, async () => {
  expect(await judgeDrawn(shop, groups)).toEqual([])
})

test('nor does one to a shop whose cards are typed on the gateway’s page', PATIENCE, async () => {
  const hosted = await startMeasuredShop(database.url, { CARD_FORM: 'hosted' })
  onTestFinished(hosted.stop)
  const all = await hostileToShop(hosted, prepared, true)
  const own = all.filter(({ name }) => name.includes('Hosted'))
  expect(own).toHaveLength(2)
  expect(await judgeDrawn(hosted, own)).toEqual([])
})

test('an unsigned callback is refused at no cost, whatever is in it', PATIENCE, async () => {
  const requests = groups.flatMap(({ name, kinds }) => (name === 'gateCallback' ? kinds.flat() : []))
  expect(requests.length).toBeGreaterThan(100)
  expect(await judgeAll(shop.program, shop.url, pick(requests, MOST, TEST_SEED))).toEqual([])
})

test(
  'a text of digits and blanks is no cost to the payment record that it may hide a card in',
  PATIENCE,
  async () => {
    const own = groups.flatMap(({ name, kinds }) => (name === 'createInvoice' ? kinds.flat() : []))
    const requests = own.filter(({ what }) => /"1[ .]" again/.test(what))
    expect(requests.length).toBeGreaterThan(100)
    expect(await judgeAll(shop.program, shop.url, pick(requests, MOST, TEST_SEED))).toEqual([])
  },
)

test('nothing that the shop reads takes more than 50 ms, whatever is in it', PATIENCE, () => {
  expect(fuzzParsers(SHOP_PARSERS, TEXTS, TEST_SEED)).toEqual([])
})
