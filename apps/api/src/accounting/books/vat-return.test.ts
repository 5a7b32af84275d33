import { type DayRange, daysOfMonth, daysOfQuarter } from '@hedgerow/domain/periods'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { convertSums } from '#sales/invoices/sterling.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const OCTOBER = daysOfMonth('2026-10')

const open = async () => {
  const { db } = await openBooks()
  const rate = (day: string, rateMicro: number) =>
    db.transaction().execute((trx) => setAccountingRate(trx, 'sterling', { currency: 'EUR', day, rateMicro }))
  return { shop: { db }, rate, vatReturn: (range: DayRange = OCTOBER) => readVatReturn({ db }, range) }
}

describe('the VAT return', () => {
  test('sums invoices less credit notes by tax, country and rate, and fills the boxes that the shop knows', async () => {
    const { shop, vatReturn } = await open()
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
    const found = await vatReturn()
    expect(found).toMatchObject(OCTOBER)
    expect(found.rows).toEqual([
      {
        treatment: 'uk',
        country: 'GB',
        rate: 20,
        invoices: { count: 1, netMinor: 10_000, vatMinor: 2_000 },
        creditNotes: { count: 1, netMinor: 1_000, vatMinor: 200 },
        netMinor: 9_000,
        vatMinor: 1_800,
      },
      expect.objectContaining({
        treatment: 'oss',
        country: 'DE',
        rate: 19,
        netMinor: 10_000,
        vatMinor: 1_900,
      }),
      expect.objectContaining({
        treatment: 'reverse-charge',
        country: 'FR',
        rate: 0,
        netMinor: 5_055,
        vatMinor: 0,
      }),
    ])
    expect(found.boxes).toEqual({
      vatDueSales: 1_800,
      vatDueAcquisitions: 0,
      totalVatDue: 1_800,
      vatReclaimedCurrPeriod: null,
      netVatDue: null,
      totalValueSalesExVAT: 14_000,
      totalValuePurchasesExVAT: null,
      totalValueGoodsSuppliedExVAT: 0,
      totalAcquisitionsExVAT: 0,
    })
    expect(found.notes).toEqual([{ kind: 'oss-not-in-box-6', netMinor: 10_000 }])
    const withOss = await readVatReturn(shop, OCTOBER, { isOssInBox6: true })
    expect(withOss.boxes.totalValueSalesExVAT).toBe(24_000)
    // Asked for again, it is the same.
    expect(await vatReturn()).toEqual(found)
  })

  test('counts by the day in London on which money came or went back, both ends included', async () => {
    const { shop, vatReturn } = await open()
    // In London's summer: 1 October begins at eleven in the evening of the day before, in UTC.
    await anInvoice(shop, { paidAt: '2026-09-30T22:59:59.999Z' })
    const first = await anInvoice(shop, { paidAt: '2026-09-30T23:00:00.000Z' })
    await anInvoice(shop, { paidAt: '2026-12-31T23:59:59.999Z' })
    await aCreditNote(shop, first, { refundedAt: '2027-01-01T00:00:00.000Z' })
    const of = async (range: DayRange) => {
      const { totals } = await vatReturn(range)
      return [totals.invoices.count, totals.creditNotes.count]
    }
    expect(await of(daysOfQuarter('2026-Q3'))).toEqual([1, 0])
    expect(await of(daysOfQuarter('2026-Q4'))).toEqual([2, 0])
    expect(await of(daysOfMonth('2027-01'))).toEqual([0, 1])
    expect(await of({ from: '2026-09-30', to: '2027-01-01' })).toEqual([3, 1])
  })

  test('takes the sterling of each invoice as it was written, and says which were written with an older rate', async () => {
    const { shop, vatReturn } = await open()
    const sums = { totalMinor: 1200, netMinor: 1000, vatMinor: 200 }
    const sterling = convertSums(sums, { rateMicro: 1_150_000, day: '2026-09-01' })
    await anInvoice(shop, { paidAt: '2026-10-05T12:00:00.000Z', currency: 'EUR', ...sums, sterling })
    const { rows, notes } = await vatReturn()
    expect(rows).toMatchObject([{ treatment: 'uk', netMinor: 870, vatMinor: 174 }])
    expect(notes).toEqual([
      { kind: 'older-rate', currency: 'EUR', month: '2026-10', rateDay: '2026-09-01', invoices: 1 },
    ])
  })

  test('converts what was written without pounds at its month’s rate, and is refused without one', async () => {
    const { shop, vatReturn, rate } = await open()
    const sold = await anInvoice(shop, {
      paidAt: '2026-10-05T12:00:00.000Z',
      currency: 'EUR',
      totalMinor: 1003,
    })
    await rate('2026-09-01', 1_160_000)
    const wanted = [{ kind: 'sterling', currency: 'EUR', when: '2026-10' }]
    await expect(vatReturn()).rejects.toMatchObject({ wanted })
    await rate('2026-10-01', 1_153_400)
    expect((await vatReturn()).rows).toMatchObject([{ netMinor: 725, vatMinor: 145 }])
    // Its parts went back in three, the last of them a month later: nothing is left over.
    for (const [at, totalMinor, netMinor, vatMinor] of [
      ['2026-10-06', 334, 279, 55],
      ['2026-10-07', 335, 279, 56],
      ['2026-11-02', 334, 278, 56],
    ] as const)
      await aCreditNote(shop, sold, { refundedAt: `${at}T12:00:00.000Z`, totalMinor, netMinor, vatMinor })
    const { totals, notes } = await vatReturn({ from: '2026-10-01', to: '2026-11-22' })
    expect(totals).toMatchObject({ netMinor: 0, vatMinor: 0 })
    const converted = {
      kind: 'converted',
      currency: 'EUR',
      month: '2026-10',
      rateMicro: 1_153_400,
      documents: 4,
    }
    expect(notes).toContainEqual(converted)
  })

  test('reads however many there are, and nothing but the documents', async () => {
    const { shop, vatReturn } = await open()
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
    expect((await vatReturn()).totals).toMatchObject({ invoices: { count: 2501, netMinor: 2_501_000 } })
  })

  test('says what is still unwritten, and that days are to come', async () => {
    const { shop, vatReturn } = await open()
    const { orderId } = await anInvoice(shop, { paidAt: '2026-10-05T12:00:00.000Z' })
    const sold = await anInvoice(shop, { paidAt: '2026-10-06T12:00:00.000Z' })
    await aCreditNote(shop, sold, { refundedAt: '2026-10-07T12:00:00.000Z' })
    // Neither is written yet.
    await sql`update payments set is_invoiced = false where order_id = ${orderId}`.execute(shop.db)
    await shop.db.deleteFrom('invoices').where('order_id', '=', orderId).execute()
    await shop.db.deleteFrom('credit_notes').execute()
    await shop.db.updateTable('refunds').set({ is_noted: false }).execute()
    const { notes, totals } = await vatReturn({ from: '2026-10-01', to: '2099-12-31' })
    expect(totals).toMatchObject({ invoices: { count: 1 }, creditNotes: { count: 0 } })
    expect(notes).toEqual([{ kind: 'not-over' }, { kind: 'unwritten', invoices: 1, creditNotes: 1 }])
  })
})
