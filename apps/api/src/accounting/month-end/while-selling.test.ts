import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import type { Month } from '#accounting/month-end/month.ts'
import { unguarded } from '#testing/months/clocks.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth } from '#testing/months/times.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const SEED = 5
const shop = shopOfFile()
const month: Month = drawMonth(chanceOf(SEED, 'month'), new Date())

beforeAll(async () => {
  await liveMonth(shop, { seed: SEED, month, deeds: 8 })
}, 120_000)

test('a shop that goes on selling while it is looked at does not look wrong', async () => {
  let isOver = false
  const sums = `'{totalMinor}', to_jsonb((snapshot ->> 'totalMinor')::int + 6)`
  const goOn = async () => {
    while (!isOver)
      await unguarded(shop, async (trx) => {
        const ofMonth = sql`select id from payments where is_invoiced and rate_micro is null and refunded_minor = 0
          and vat_country is null and currency = 'GBP'`
        await sql`update invoices set snapshot = jsonb_set(jsonb_set(jsonb_set(snapshot,
          ${sql.raw(sums)}), '{netMinor}', to_jsonb((snapshot ->> 'netMinor')::int + 5)),
          '{vatMinor}', to_jsonb((snapshot ->> 'vatMinor')::int + 1)) - 'discount'
          where order_id in (select order_id from payments where id in (${ofMonth}))`.execute(trx)
        await sql`update payments set amount_minor = amount_minor + 6, charged_minor = charged_minor + 6
          where id in (${ofMonth})`.execute(trx)
        await sql`update settlement_operations set initial_minor = initial_minor + 6
          where kind = 'sale' and payment_id in (${ofMonth})`.execute(trx)
      })
  }
  const going = goOn()
  try {
    for (let times = 0; times < 5; times++) {
      const { lines } = await checkMonth(shop, month, new Date(), 1)
      expect(lines.filter(({ agrees }) => !agrees).map(({ id }) => id)).toEqual([])
    }
  } finally {
    isOver = true
    await going
  }
})
