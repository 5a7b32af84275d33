import { describe, expect, test } from 'vitest'
import { readOssReturn } from '#accounting/books/oss-return.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`
const ossOf = (country: string) => ({ treatment: 'oss', country }) as const

const open = async () => {
  const { db } = await openBooks()
  const rate = (day: string, rateMicro: number) =>
    db.transaction().execute((trx) => setAccountingRate(trx, 'ecb', { currency: 'GBP', day, rateMicro }))
  return { shop: { db }, rate, ossReturn: (quarter: string) => readOssReturn({ db }, quarter) }
}

describe('the return of the One Stop Shop', () => {
  test('has what each country is owed, in euro, and corrects earlier quarters apart', async () => {
    const { shop, rate, ossReturn } = await open()
    const earlier = await anInvoice(shop, {
      paidAt: at('2026-06-30'),
      currency: 'EUR',
      totalMinor: 11_900,
      vatRate: 19,
      vat: ossOf('DE'),
    })
    const sale = {
      paidAt: at('2026-07-01'),
      currency: 'EUR',
      totalMinor: 11_900,
      vatRate: 19,
      vat: ossOf('DE'),
    } as const
    const sold = await anInvoice(shop, sale)
    await anInvoice(shop, sale)
    await anInvoice(shop, { ...sale, currency: 'GBP', totalMinor: 10_476, vatRate: 20, vat: ossOf('FR') })
    // What is declared elsewhere, or nowhere.
    await anInvoice(shop, { ...sale, vatRate: 0, vat: { treatment: 'reverse-charge', country: 'DE' } })
    await anInvoice(shop, { paidAt: at('2026-07-01'), totalMinor: 1200 })
    await aCreditNote(shop, sold, { refundedAt: at('2026-09-30') })
    await aCreditNote(shop, earlier, {
      refundedAt: at('2026-07-02'),
      totalMinor: 1_190,
      netMinor: 1_000,
      vatMinor: 190,
    })

    const wanted = [{ kind: 'ecb', currency: 'GBP', when: '2026-09-30' }]
    await expect(ossReturn('2026-Q3')).rejects.toMatchObject({ wanted })
    await rate('2026-09-29', 800_000)
    await expect(ossReturn('2026-Q3')).rejects.toMatchObject({ wanted })
    await rate('2026-09-30', 873_000)

    const found = await ossReturn('2026-Q3')
    expect(found.rows).toEqual([
      {
        country: 'DE',
        rate: 19,
        invoices: 2,
        creditNotes: 1,
        netMinor: 10_000,
        vatMinor: 1_900,
        inEuro: { netMinor: 10_000, vatMinor: 1_900 },
        inPounds: { netMinor: 0, vatMinor: 0 },
      },
      expect.objectContaining({
        country: 'FR',
        rate: 20,
        netMinor: 10_000,
        vatMinor: 2_000,
        inPounds: { netMinor: 8_730, vatMinor: 1_746 },
      }),
    ])
    expect(found.corrections).toEqual([
      { country: 'DE', period: '2026-Q2', creditNotes: 1, netMinor: -1_000, vatMinor: -190 },
    ])
    expect(found.totals).toEqual({
      netMinor: 20_000,
      vatMinor: 3_900,
      correctionsMinor: -190,
      dueMinor: 3_710,
    })
    expect(found.rates).toEqual([{ quarter: '2026-Q3', day: '2026-09-30', rateMicro: 873_000 }])
    expect((await ossReturn('2026-Q2')).rows).toMatchObject([{ country: 'DE', vatMinor: 1_900 }])
  })

  test('takes the next day that was published, where the last of a quarter was none', async () => {
    const { shop, rate, ossReturn } = await open()
    await anInvoice(shop, { paidAt: at('2026-02-01'), totalMinor: 873, vatRate: 0, vat: ossOf('IE') })
    await rate('2026-04-02', 873_000)
    expect(await ossReturn('2026-Q1')).toMatchObject({
      totals: { netMinor: 1_000 },
      rates: [{ quarter: '2026-Q1', day: '2026-04-02' }],
    })
  })

  test('of a quarter without such sales is a nil return', async () => {
    const { ossReturn } = await open()
    expect(await ossReturn('2026-Q1')).toMatchObject({ rows: [], totals: { dueMinor: 0 }, isOver: true })
    expect(await ossReturn('2099-Q4')).toMatchObject({ isOver: false })
  })
})
