import { judge } from '@hedgerow/testing/cost/judge'
import { pick } from '@hedgerow/testing/cost/pick'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredShop, startMeasuredShop } from '#testing/fuzz/measured-shop.ts'
import { type HostileGroup, hostileToShop } from '#testing/fuzz/shop-requests.ts'
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts'

/** The whole of it is `npm run fuzz`; of each kind of hostile request, so many are drawn for each call here. */
const OF_EACH_KIND = Number(process.env.OF_EACH ?? 8)
const SEED = 20_261_122

let database: TestDatabase
let shop: MeasuredShop
let groups: HostileGroup[]

beforeAll(async () => {
  database = await cloneDatabase()
  shop = await startMeasuredShop(database.url)
  groups = await hostileToShop(shop)
}, 120_000)

afterAll(async () => {
  await shop?.stop()
  await database?.drop()
})

test('no request to the shop costs more than 50 ms or 20 MB, or is met with a fault', { timeout: 600_000 }, async () => {
  const findings: string[] = []
  let count = 0
  for (const { base, kinds } of groups) {
    for (const request of kinds.flatMap((kind) => pick(kind, OF_EACH_KIND, SEED))) {
      const finding = await judge(shop.program, base === 'shop' ? shop.url : shop.metricsUrl, request)
      count++
      if (finding) findings.push(finding)
    }
  }
  console.log(count)
  expect(findings).toEqual([])
})
