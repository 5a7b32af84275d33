import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertBack } from './exchange.ts'
import { addToOssSums, type OssDocument, type OssSums, ossReturnOf, quartersInPounds } from './oss-return.ts'

const RATE = 873_100
const QUARTER = '2026-Q4'

const aDocument: fc.Arbitrary<OssDocument> = fc.record({
  kind: fc.constantFrom('invoice' as const, 'credit-note' as const),
  country: fc.constantFrom('DE', 'FR', 'FI'),
  rate: fc.constantFrom(19, 20, 25.5),
  currency: fc.constantFrom('EUR' as const, 'GBP' as const),
  netMinor: fc.integer({ min: 1, max: 100_000 }),
  vatMinor: fc.integer({ min: 1, max: 25_000 }),
  saleQuarter: fc.constantFrom(QUARTER, '2026-Q3', '2025-Q4'),
})

const sumsOf = (documents: readonly OssDocument[]) => {
  const sums: OssSums = new Map()
  for (const document of documents) addToOssSums(sums, document)
  return sums
}
const returnOf = (documents: readonly OssDocument[]) => ossReturnOf(sumsOf(documents), QUARTER, () => RATE)

const sale = (over: Partial<OssDocument> = {}): OssDocument => ({
  kind: 'invoice',
  country: 'DE',
  rate: 19,
  currency: 'EUR',
  netMinor: 10_000,
  vatMinor: 1_900,
  saleQuarter: QUARTER,
  ...over,
})

describe('a return of the One Stop Shop', () => {
  test('takes the credit notes of a quarter off its own sales, and corrects earlier ones apart', () => {
    const { rows, corrections, totals } = returnOf([
      sale(),
      sale({ kind: 'credit-note', netMinor: 1_000, vatMinor: 190 }),
      sale({ kind: 'credit-note', saleQuarter: '2026-Q3', netMinor: 500, vatMinor: 95 }),
    ])
    expect(rows).toMatchObject([{ country: 'DE', rate: 19, netMinor: 9_000, vatMinor: 1_710 }])
    expect(corrections).toMatchObject([{ country: 'DE', period: '2026-Q3', vatMinor: -95, creditNotes: 1 }])
    expect(totals).toEqual({ netMinor: 9_000, vatMinor: 1_710, correctionsMinor: -95, dueMinor: 1_615 })
  })

  test('leaves euros as they are, and takes pounds at the given rate', () => {
    const { rows } = returnOf([sale(), sale({ currency: 'GBP', netMinor: 8_731, vatMinor: 1_659 })])
    expect(rows).toMatchObject([{ netMinor: 20_000, vatMinor: 1_900 + convertBack(1_659, RATE) }])
  })

  test('wants a rate of the quarters with pounds alone', () => {
    expect(quartersInPounds(sumsOf([sale(), sale({ saleQuarter: '2026-Q3' })]))).toEqual([])
    expect(
      quartersInPounds(
        sumsOf([sale(), sale({ kind: 'credit-note', currency: 'GBP', saleQuarter: '2026-Q3' })]),
      ),
    ).toEqual(['2026-Q3'])
  })

  test('sums to what is due, and is the same in whatever order its documents come', () => {
    fc.assert(
      fc.property(
        fc
          .array(aDocument)
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([documents, shuffled]) => {
          const made = returnOf(documents)
          expect(returnOf(shuffled)).toEqual(made)
          const all = [...made.rows, ...made.corrections]
          expect(all.reduce((sum, one) => sum + one.vatMinor, 0)).toBe(made.totals.dueMinor)
        },
      ),
    )
  })

  test('of sales that went back whole is nought, in the same quarter or in a later one', () => {
    fc.assert(
      fc.property(fc.array(aDocument), aDocument, (documents, one) => {
        const both = documents.flatMap((document) => [
          { ...document, kind: 'invoice' as const },
          { ...document, kind: 'credit-note' as const },
        ])
        expect(returnOf(both).totals).toMatchObject({ netMinor: 0, dueMinor: 0 })
        const sold = returnOf([{ ...one, kind: 'invoice', saleQuarter: QUARTER }])
        const corrected = returnOf([{ ...one, kind: 'credit-note', saleQuarter: '2026-Q3' }])
        expect(sold.totals.dueMinor + corrected.totals.correctionsMinor).toBe(0)
      }),
    )
  })
})
