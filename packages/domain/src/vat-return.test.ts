import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addToVatSums, type TaxedDocument, type VatSums, vatReturnOf } from './vat-return.ts'

const TAXES = [
  { treatment: 'uk', country: null, rate: 20 },
  { treatment: 'uk', country: 'GB', rate: 20 },
  { treatment: 'uk', country: null, rate: 17.5 },
  { treatment: 'oss', country: 'DE', rate: 19 },
  { treatment: 'oss', country: 'FI', rate: 25.5 },
  { treatment: 'reverse-charge', country: 'DE', rate: 0 },
  { treatment: 'outside', country: 'US', rate: 0 },
] as const

const aDocument: fc.Arbitrary<TaxedDocument> = fc
  .record({
    kind: fc.constantFrom('invoice' as const, 'credit-note' as const),
    tax: fc.constantFrom(...TAXES),
    netMinor: fc.integer({ min: 0, max: 100_000 }),
    vatMinor: fc.integer({ min: 0, max: 25_000 }),
  })
  .map(({ tax, vatMinor, ...rest }) => ({ ...tax, ...rest, vatMinor: tax.rate === 0 ? 0 : vatMinor }))

const returnOf = (documents: readonly TaxedDocument[], isOssInBox6 = false) => {
  const sums: VatSums = new Map()
  for (const document of documents) addToVatSums(sums, document)
  return vatReturnOf(sums, { isOssInBox6 })
}

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0)
const signed = (of: 'netMinor' | 'vatMinor') => (one: TaxedDocument) =>
  one.kind === 'invoice' ? one[of] : -one[of]

describe('a VAT return', () => {
  test('has rows that sum to its totals and to its boxes', () => {
    fc.assert(
      fc.property(fc.array(aDocument), (documents) => {
        const { rows, totals, boxes } = returnOf(documents)
        const uk = documents.filter(({ treatment }) => treatment === 'uk')
        expect(totals.netMinor).toBe(sum(documents, signed('netMinor')) || 0)
        expect(totals.vatMinor).toBe(sum(documents, signed('vatMinor')) || 0)
        expect(totals.invoices.count + totals.creditNotes.count).toBe(documents.length)
        expect(boxes.vatDueSales).toBe(sum(uk, signed('vatMinor')) || 0)
        expect(boxes.totalVatDue).toBe(boxes.vatDueSales)
        const sales = rows.filter(({ treatment }) => treatment !== 'oss')
        const net = sum(sales, ({ netMinor }) => netMinor)
        expect(Math.abs(boxes.totalValueSalesExVAT % 100)).toBe(0)
        expect(Math.abs(net - boxes.totalValueSalesExVAT)).toBeLessThan(100)
        for (const row of rows) {
          expect(row.netMinor).toBe(row.invoices.netMinor - row.creditNotes.netMinor)
          expect(row.vatMinor).toBe(row.invoices.vatMinor - row.creditNotes.vatMinor)
        }
      }),
    )
  })

  test('is the same in whatever order its documents come', () => {
    fc.assert(
      fc.property(
        fc
          .array(aDocument)
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([documents, shuffled]) => {
          expect(returnOf(shuffled)).toEqual(returnOf(documents))
        },
      ),
    )
  })

  test('of invoices that went back whole is nought', () => {
    fc.assert(
      fc.property(fc.array(aDocument), (documents) => {
        const both = documents.flatMap((one) => [
          { ...one, kind: 'invoice' as const },
          { ...one, kind: 'credit-note' as const },
        ])
        const { rows, totals, boxes } = returnOf(both, true)
        expect([totals.netMinor, totals.vatMinor]).toEqual([0, 0])
        expect(rows.every((row) => row.netMinor === 0 && row.vatMinor === 0)).toBe(true)
        expect([boxes.vatDueSales, boxes.totalValueSalesExVAT]).toEqual([0, 0])
      }),
    )
  })

  test('never has VAT of the One Stop Shop in box 1, and its net in box 6 only where that is wished', () => {
    const oss: TaxedDocument = {
      kind: 'invoice',
      treatment: 'oss',
      country: 'DE',
      rate: 19,
      netMinor: 10_050,
      vatMinor: 1_910,
    }
    expect(returnOf([oss]).boxes).toMatchObject({ vatDueSales: 0, totalValueSalesExVAT: 0 })
    expect(returnOf([oss], true).boxes).toMatchObject({ vatDueSales: 0, totalValueSalesExVAT: 10_000 })
  })

  test('leaves what the accounts know to the accounts', () => {
    expect(returnOf([]).boxes).toEqual({
      vatDueSales: 0,
      vatDueAcquisitions: 0,
      totalVatDue: 0,
      vatReclaimedCurrPeriod: null,
      netVatDue: null,
      totalValueSalesExVAT: 0,
      totalValuePurchasesExVAT: null,
      totalValueGoodsSuppliedExVAT: 0,
      totalAcquisitionsExVAT: 0,
    })
  })

  test('counts a sale without a country, of before one was asked, with the United Kingdom’s', () => {
    const sale = { kind: 'invoice', treatment: 'uk', rate: 20, netMinor: 1000, vatMinor: 200 } as const
    const { rows } = returnOf([
      { ...sale, country: null },
      { ...sale, country: 'GB' },
    ])
    expect(rows).toMatchObject([{ country: 'GB', invoices: { count: 2 }, vatMinor: 400 }])
  })
})
