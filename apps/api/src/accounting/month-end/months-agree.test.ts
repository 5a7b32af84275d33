import { fewOrAll, TEST_SEED } from '@hedgerow/testing/strength'
import { expect, test } from 'vitest'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import type { Month } from '#accounting/month-end/month.ts'
import { correctSome } from '#testing/months/corrections.ts'
import { takeReport } from '#testing/months/gateway-report.ts'
import { liveMonth, withNeighbours } from '#testing/months/live-month.ts'
import { drawMonth, monthAgo } from '#testing/months/times.ts'
import { OSS } from '#testing/oss-shops.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const SEED = TEST_SEED
const MONTHS = fewOrAll(1, 3)
const DEEDS_A_MONTH = fewOrAll(4, 16)

/** Two of three seeds ask where a customer is. */
const isOss = SEED % 3 !== 0
const shop = shopOfFile(isOss ? { env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } } : {})

/** The accountant sees each dispute that is undecided. */
const countOpenDisputes = async ({ to }: Month) => {
  const open = await shop.db
    .selectFrom('disputes')
    .select('id')
    .where('status', '=', 'open')
    .where('opened_at', '<', to)
    .execute()
  return open.length
}

test(`in every month that a shop has lived, all totals agree to the penny (TEST_SEED=${SEED})`, async () => {
  const months = new Map<string, Month>()
  for (let count = 0; count < MONTHS; count++) {
    const seed = SEED + count
    const month = drawMonth(chanceOf(seed, 'month'), new Date())
    const { paymentIds } = await liveMonth(shop, {
      ...{ seed, month, deeds: DEEDS_A_MONTH },
      earlier: [...months.values()],
    })
    await correctSome(shop, chanceOf(seed, 'corrections'), paymentIds)
    for (const one of [...withNeighbours(month), monthAgo(new Date(), 0)]) months.set(one.name, one)
    await takeReport(shop, [...months.values()])
    // Every month so far: what happens later, in whatever month, changes none that agreed.
    for (const [name, one] of months) {
      const where = `${name}, after ${count + 1} months. To repeat: TEST_SEED=${SEED}`
      const { lines, waiting, remarks } = await checkMonth(shop, one, new Date(), 7)
      expect(
        lines.filter(({ agrees }) => !agrees),
        where,
      ).toEqual([])
      expect(
        waiting.filter(({ kind }) => kind !== 'month-runs' && kind !== 'report-awaited'),
        where,
      ).toEqual([])
      const disputes = remarks.find(({ kind }) => kind === 'open-disputes')
      expect(disputes?.count ?? 0, where).toBe(await countOpenDisputes(one))
    }
  }
  // It has found nothing because all is well, not because it has looked at nothing.
  const notes = await shop.db.selectFrom('credit_notes').select('number').execute()
  expect(notes.length).toBeGreaterThan(0)
}, 300_000)
