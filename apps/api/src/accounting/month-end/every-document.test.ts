import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import { insertAccountingRate } from '#sales/invoices/sterling.ts'
import { balances, hasHledger } from '#testing/hledger.ts'
import { correctSome } from '#testing/months/corrections.ts'
import { buyPlanAs, cancelPurchase, takeBackEarning } from '#testing/months/deeds.ts'
import { takeReport } from '#testing/months/gateway-report.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth, monthAgo } from '#testing/months/times.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { COMPANY, OSS } from '#testing/oss-shops.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const SEED = 36
const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })
const now = monthAgo(new Date(), 0)
/** The one that was lived, and the one in which its invoices are corrected. */
const months = [drawMonth(chanceOf(SEED, 'month'), new Date()), now] as const

/** What is certain in each month is not here: exchange, other sums, disputes, partners who are paid. */
const KINDS = [
  buyPlanAs('Ethernity', { country: 'GB' }, 'nothing'),
  buyPlanAs('Ethernity', { country: 'DE' }, 'a part'),
  buyPlanAs('1 year', { country: 'FI' }, 'all'),
  buyPlanAs('1 year', { country: 'DE', vatNumber: 'DE123456789', ...COMPANY }, 'a part'),
  buyPlanAs('31 days', { country: 'US' }, 'a part'),
  buyPlanAs('31 days', { country: 'QM' }, 'nothing'),
  buyPlanAs('31 days', { country: 'IC' }, 'nothing'),
  cancelPurchase,
  takeBackEarning,
]

beforeAll(async () => {
  const [month] = months
  const { paymentIds } = await liveMonth(shop, { seed: SEED, month, deeds: 0, also: KINDS })
  await insertAccountingRate(shop.db, 'sterling', {
    currency: 'EUR',
    day: now.firstDay,
    rateMicro: 1_170_000,
  })
  expect(await correctSome(shop, chanceOf(SEED, 'corrections'), paymentIds)).toBeGreaterThan(5)
  await takeReport(shop, months)
}, 180_000)

/** What there is of something, each once. */
const kindsOf = async (query: ReturnType<typeof sql<{ kind: string }>>) =>
  (await query.execute(shop.db)).rows.map(({ kind }) => kind)

test('it has papers and money of every kind', async () => {
  expect(
    await kindsOf(
      sql`select distinct snapshot #>> '{vat,treatment}' as kind from issued_invoices order by 1`,
    ),
  ).toEqual(['oss', 'outside', 'reverse-charge', 'uk'])
  expect(await kindsOf(sql`select distinct reason as kind from refunds order by 1`)).toEqual([
    ...['cancelled', 'dispute', 'operator', 'other-sum', 'paid-twice'],
  ])
  expect(await kindsOf(sql`select distinct kind from settlement_operations order by 1`)).toEqual(
    expect.arrayContaining(['chargeback', 'refund', 'representment', 'sale']),
  )
  expect(await kindsOf(sql`select distinct kind from ledger_transfers order by 1`)).toEqual(
    expect.arrayContaining(['earned', 'paid', 'reversed']),
  )
})

test.each(months)('all totals of $name agree', async (month) => {
  const { lines, waiting } = await checkMonth(shop, month, new Date(), 7)
  expect(lines.filter(({ agrees }) => !agrees)).toEqual([])
  expect(waiting.filter(({ kind }) => kind !== 'month-runs' && kind !== 'report-awaited')).toEqual([])
})

test.skipIf(!hasHledger).each(months)(
  'hledger finds the VAT and sales of the return in the journal of $name',
  async ({ name, firstDay, lastDay }) => {
    const { out, err } = await runOps(
      opsSettings(shop),
      'invoice',
      'export',
      '--format',
      'hledger',
      '--month',
      name,
    )
    expect(err).toBe('')
    const found = await balances(out)
    const pence = (account: string) => Math.round(Number.parseFloat(found.get(account) ?? '0') * 100)
    const { boxes, rows } = await readVatReturn(shop, { from: firstDay, to: lastDay })
    const sum = (of: 'netMinor' | 'vatMinor', treatment?: string) =>
      rows.filter((row) => !treatment || row.treatment === treatment).reduce((all, row) => all + row[of], 0)
    expect(pence('liabilities:vat:united kingdom')).toBe(-boxes.vatDueSales)
    expect(pence('liabilities:vat:one stop shop')).toBe(-sum('vatMinor', 'oss'))
    // Every sale is income now or later; what becomes income in the month moves from one account to the other.
    expect(pence('income:sales') + pence('liabilities:deferred income')).toBe(-sum('netMinor'))
    expect(pence('liabilities:deferred income')).not.toBe(0)
  },
)
