import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { convertSums } from '#sales/invoices/sterling.ts'
import { runOps } from '#testing/ops.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const aShop = async () => {
  const shop = await openBooks()
  const { ops } = shop
  const vatReturn = async (...period: string[]) => {
    const { code, err, json } = await ops('vat-return', ...period, '--json')
    expect([code, err]).toEqual([0, ''])
    return json
  }
  return { shop, ops, vatReturn }
}

const OCTOBER = ['--month', '2026-10']

describe('ops vat-return', { timeout: 120_000 }, () => {
  test('sums invoices less credit notes by tax, country and rate, and fills the boxes that the shop knows', async () => {
    const { shop, vatReturn, ops } = await aShop()
    const paidAt = '2026-10-05T12:00:00.000Z'
    const [oss, business] = [
      { treatment: 'oss', country: 'DE' },
      { treatment: 'reverse-charge', country: 'FR', number: 'FR12345678901' },
    ] as const
    const sold = await anInvoice(shop, { paidAt, totalMinor: 12_000 })
    await anInvoice(shop, { paidAt, totalMinor: 11_900, vatRate: 19, vat: oss })
    await anInvoice(shop, { paidAt, totalMinor: 5_055, vatRate: 0, vat: business })
    await aCreditNote(shop, sold, {
      refundedAt: '2026-10-06T12:00:00.000Z',
      totalMinor: 1_200,
      netMinor: 1_000,
      vatMinor: 200,
    })
    const told = await vatReturn(...OCTOBER)
    expect(told).toMatchObject({ from: '2026-10-01', to: '2026-10-31' })
    expect(told.rows).toEqual([
      {
        treatment: 'uk',
        country: 'GB',
        rate: 20,
        invoices: { count: 1, net: '100.00', vat: '20.00' },
        creditNotes: { count: 1, net: '10.00', vat: '2.00' },
        net: '90.00',
        vat: '18.00',
      },
      expect.objectContaining({ treatment: 'oss', country: 'DE', rate: 19, net: '100.00', vat: '19.00' }),
      expect.objectContaining({
        treatment: 'reverse-charge',
        country: 'FR',
        rate: 0,
        net: '50.55',
        vat: '0.00',
      }),
    ])
    expect(told.boxes).toEqual({
      vatDueSales: '18.00',
      vatDueAcquisitions: '0.00',
      totalVatDue: '18.00',
      vatReclaimedCurrPeriod: null,
      netVatDue: null,
      totalValueSalesExVAT: '140',
      totalValuePurchasesExVAT: null,
      totalValueGoodsSuppliedExVAT: '0',
      totalAcquisitionsExVAT: '0',
    })
    expect(told.notes).toEqual([{ kind: 'oss-not-in-box-6', text: expect.stringContaining('£100.00') }])
    expect((await vatReturn(...OCTOBER, '--oss-in-box-6')).boxes.totalValueSalesExVAT).toBe('240')
    // Again, it is the same; and so it is as a table and as rows for another program.
    expect(await vatReturn('--from', '2026-10-01', '--to', '2026-10-31')).toEqual(told)
    const { out: csv } = await ops('vat-return', ...OCTOBER, '--csv')
    expect(csv.split('\r\n')[1]).toBe('uk,GB,20,1,100.00,20.00,1,10.00,2.00,90.00,18.00')
    const { out } = await ops('vat-return', ...OCTOBER)
    expect(out).toMatch(/uk +GB +20% +1 +£100\.00 +£20\.00 +1 +£10\.00 +£2\.00 +£90\.00 +£18\.00/)
    expect(out).toMatch(/4 +VAT reclaimed on purchases +vatReclaimedCurrPeriod +from the accounts/)
  })

  test('counts by the day in London on which money came or went back, both ends included', async () => {
    const { shop, vatReturn } = await aShop()
    // In London's summer: 1 October begins at eleven in the evening of the day before, in UTC.
    await anInvoice(shop, { paidAt: '2026-09-30T22:59:59.999Z' })
    const first = await anInvoice(shop, { paidAt: '2026-09-30T23:00:00.000Z' })
    await anInvoice(shop, { paidAt: '2026-12-31T23:59:59.999Z' })
    await aCreditNote(shop, first, { refundedAt: '2027-01-01T00:00:00.000Z' })
    const of = async (...period: string[]) => {
      const { totals } = await vatReturn(...period)
      return [totals.invoices.count, totals.creditNotes.count]
    }
    expect(await of('--quarter', '2026-Q3')).toEqual([1, 0])
    expect(await of('--quarter', '2026-q4')).toEqual([2, 0])
    expect(await of('--month', '2027-01')).toEqual([0, 1])
    expect(await of('--from', '2026-09-30', '--to', '2027-01-01')).toEqual([3, 1])
  })

  test('takes the sterling of each invoice as it was written, and says which were written with an older rate', async () => {
    const { shop, vatReturn } = await aShop()
    const sums = { totalMinor: 1200, netMinor: 1000, vatMinor: 200 }
    const sterling = convertSums(sums, { rateMicro: 1_150_000, day: '2026-09-01' })
    await anInvoice(shop, { paidAt: '2026-10-05T12:00:00.000Z', currency: 'EUR', ...sums, sterling })
    const { rows, notes } = await vatReturn(...OCTOBER)
    expect(rows).toMatchObject([{ treatment: 'uk', net: '8.70', vat: '1.74' }])
    expect(notes).toEqual([
      { kind: 'older-rate', text: expect.stringMatching(/^1 invoice of 2026-10 in EUR .* 2026-09/) },
    ])
  })

  test('converts what was written without pounds at its month’s rate, and is refused without one', async () => {
    const { shop, vatReturn, ops } = await aShop()
    const sold = await anInvoice(shop, {
      paidAt: '2026-10-05T12:00:00.000Z',
      currency: 'EUR',
      totalMinor: 1003,
    })
    await ops('rate', 'sterling', 'set', '--rate', '1.16', '--month', '2026-09')
    const refused = await ops('vat-return', ...OCTOBER)
    expect(refused.err).toBe(
      "The return cannot be made without HMRC's rate of EUR for 2026-10 (rate sterling set EUR RATE --month 2026-10).\n",
    )
    expect(refused.code).toBe(1)
    await ops('rate', 'sterling', 'set', '--rate', '1.1534', '--month', '2026-10')
    expect((await vatReturn(...OCTOBER)).rows).toMatchObject([{ net: '7.25', vat: '1.45' }])
    // Its parts went back in three, the last of them a month later: nothing is left over.
    for (const [at, totalMinor, netMinor, vatMinor] of [
      ['2026-10-06', 334, 279, 55],
      ['2026-10-07', 335, 279, 56],
      ['2026-11-02', 334, 278, 56],
    ] as const)
      await aCreditNote(shop, sold, { refundedAt: `${at}T12:00:00.000Z`, totalMinor, netMinor, vatMinor })
    const { totals, notes } = await vatReturn('--from', '2026-10-01', '--to', '2026-11-22')
    expect(totals).toMatchObject({ net: '0.00', vat: '0.00' })
    expect(notes).toContainEqual({
      kind: 'converted',
      text: expect.stringMatching(
        /^4 documents in EUR of sales of 2026-10 written without pounds: converted at 1\.1534/,
      ),
    })
  })

  test('reads however many there are, and nothing but the documents', async () => {
    const { shop, vatReturn } = await aShop()
    const { snapshot } = await anInvoice(shop, { paidAt: '2026-10-05T12:00:00.000Z' })
    // More than a batch, all alike.
    await sql`with made as (
        insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
        select gen_random_uuid(), 31, 3, 0, 1200, 'GBP', 'Completed', now() from generate_series(1, 2500) returning id
      )
      insert into invoices (order_id, year, number, snapshot)
      select id, 2026, 1 + row_number() over (), ${JSON.stringify(snapshot)}::jsonb from made`.execute(
      shop.db,
    )
    expect((await vatReturn(...OCTOBER)).totals).toMatchObject({ invoices: { count: 2501, net: '25010.00' } })
  })

  test('says what is still unwritten, and that days are to come', async () => {
    const { shop, vatReturn } = await aShop()
    const { orderId } = await anInvoice(shop, { paidAt: '2026-10-05T12:00:00.000Z' })
    const sold = await anInvoice(shop, { paidAt: '2026-10-06T12:00:00.000Z' })
    await aCreditNote(shop, sold, { refundedAt: '2026-10-07T12:00:00.000Z' })
    // Neither is written yet.
    await sql`update payments set is_invoiced = false where order_id = ${orderId}`.execute(shop.db)
    await shop.db.deleteFrom('invoices').where('order_id', '=', orderId).execute()
    await shop.db.deleteFrom('credit_notes').execute()
    await shop.db.updateTable('refunds').set({ is_noted: false }).execute()
    const { notes, totals } = await vatReturn('--from', '2026-10-01', '--to', '2099-12-31')
    expect(totals).toMatchObject({ invoices: { count: 1 }, creditNotes: { count: 0 } })
    expect(notes).toEqual([
      { kind: 'not-over', text: expect.any(String) },
      {
        kind: 'unwritten',
        text: expect.stringContaining(
          '1 payment of these days without an invoice and 1 refund without a credit note',
        ),
      },
    ])
  })

  test.each([
    [[], /give --from and --to, or --month, or --quarter/],
    [['--from', '2026-10-01'], /give both --from and --to/],
    [['--from', '2026-10-02', '--to', '2026-10-01'], /--from is after --to/],
    [['--month', '2026-13'], /A month is written like 2026-11/],
    [['--from', '2026-02-30', '--to', '2026-10-01'], /A day is written like/],
    [['--quarter', '2026-Q5'], /A quarter is written like/],
    [['--month', '2026-10', '--quarter', '2026-Q4'], /cannot be used with/],
  ])('refuses %j', async (period, fault) => {
    const { code, err } = await runOps({}, 'vat-return', ...period)
    expect(err).toMatch(fault)
    expect(code).toBe(2)
  })
})
