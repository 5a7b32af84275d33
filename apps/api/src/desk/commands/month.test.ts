import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import type { Month } from '#accounting/month-end/month.ts'
import { unguarded } from '#testing/months/clocks.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth } from '#testing/months/times.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const SEED = 5
const shop = shopOfFile()
const month: Month = drawMonth(chanceOf(SEED, 'month'), new Date())

const check = (...args: string[]) => runOps(opsSettings(shop), 'month', 'check', ...args)

beforeAll(async () => {
  await liveMonth(shop, { seed: SEED, month, deeds: 8 })
}, 120_000)

/** The VAT of one invoice of the month is told a penny higher. */
const tellMore = (by: number) =>
  unguarded(shop, async (trx) => {
    await sql`update invoices set snapshot = jsonb_set(snapshot, '{vatMinor}', to_jsonb((snapshot ->> 'vatMinor')::int + ${by}))
      where order_id = (select order_id from payments where is_invoiced and refunded_minor = 0 and charged_currency = 'GBP' and ended_at between ${month.from} and ${month.to}
        order by id limit 1)`.execute(trx)
  })

describe('ops month check', () => {
  test('says of each total that it agrees, and what to run next', async () => {
    const { out, err, code } = await check('--month', month.name)
    expect([err, code], out).toEqual(['', 0])
    expect(out).toMatch(
      /^ +CHECK +ONE TOTAL +THE OTHER *\nAGREES +invoice-series +invoice numbers given in \d{4} +\d+ documents +invoices, and recorded gaps +\d+ documents\n/,
    )
    expect(out).toMatch(
      /\nAGREES +invoices-of-payments +paid orders +€[\d.]+ +invoices +€[\d.]+\n +£[\d.]+ +£[\d.]+\n/,
    )
    expect(out).toMatch(/\nAGREES +money-in .* PLN\n/s)
    expect(out).not.toMatch(/DIFFERS/)
    expect(out).toContain(`Every total of ${month.name} agrees with every other.\nNext:\n`)
    expect(out).toContain(`invoice export --from ${month.firstDay} --to ${month.lastDay}`)
  })

  test('tells programs the same, with amounts as strings', async () => {
    const { json, code } = await check('--month', month.name, '--json')
    expect(code).toBe(0)
    expect(json).toMatchObject({
      month: month.name,
      from: month.from.toISOString(),
      to: month.to.toISOString(),
      agrees: true,
      canBeClosed: true,
      waiting: [],
    })
    const orders = json.checks.find((one: { check: string }) => one.check === 'invoices-of-payments')
    expect(orders).toMatchObject({ agrees: true, differences: [], moreDifferences: 0 })
    expect(orders.left.sums.EUR).toMatch(/^\d+\.\d\d$/)
    expect(orders.right.sums).toEqual(orders.left.sums)
  })

  test('names what differs, and ends with 1', async () => {
    await tellMore(1)
    try {
      const { out, code } = await check('--month', month.name)
      expect(code).toBe(1)
      expect(out).toMatch(/\nDIFFERS +invoice-vat /)
      expect(out).toMatch(/\ninvoice-vat DIFFERS:\n {2}invoice 20\d\d-\d{6}: net and VAT are not the total\n/)
      expect(out).toContain(`${month.name} cannot be closed: 1 of`)
      expect(out).not.toContain('Next:')
    } finally {
      await tellMore(-1)
    }
  })

  test('says that the month runs still', async () => {
    const name = new Date().toISOString().slice(0, 7)
    const { out, code } = await check('--month', name)
    expect(code).toBe(1)
    expect(out).toMatch(
      /\nThe month cannot be closed while these wait:\n {2}1: the month has not ended yet\./,
    )
    expect(out).toContain(`Every total of ${name} agrees with every other.\nThe month can be closed once`)
  })

  test.each([
    [['--month', '2026-13'], 2, /A month is written like 2026-11/],
    [['--month', '2999-01'], 2, /A month is written like 2026-11/],
    [['--month', '2099-01'], 2, /That month has not begun/],
    [[], 2, /required option '--month <month>'/],
    [['--month', '2001-05'], 1, /The documents of 2001-05 need not be kept any more/],
  ])('%j is refused, with the reason', async (args, code, says) => {
    const outcome = await check(...args)
    expect(outcome.code).toBe(code)
    expect(outcome.err).toMatch(says)
  })
})

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
