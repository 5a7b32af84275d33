import { monthOf } from '@hedgerow/domain/periods'
import type { TaxedSums } from '@hedgerow/domain/vat'
import type { TaxedDocument } from '@hedgerow/domain/vat-return'
import type { BookedDocument } from '#sales/invoices/documents.ts'
import { convertSums, type SterlingRates } from '#sales/invoices/sterling.ts'

/** A month of which a currency has no rate, and something wants one. */
export type MissingMonth = { currency: string; month: string }

export type InPounds =
  | { sums: TaxedSums; by: 'itself' | 'invoice' }
  /** Written without pounds, and converted now at its month's rate. */
  | { sums: TaxedSums; by: 'month'; currency: string; month: string; rateMicro: number }
  | { missing: MissingMonth }

/** The rate of a month itself, however old others are: the latest one that had begun by the day of the sale. */
export const rateOfMonth = (rates: SterlingRates, currency: string, day: string) =>
  rates.get(currency)?.findLast((rate) => rate.day <= day && monthOf(rate.day) === monthOf(day))

const minus = (all: TaxedSums, before: TaxedSums): TaxedSums => ({
  totalMinor: all.totalMinor - before.totalMinor,
  netMinor: all.netMinor - before.netMinor,
  vatMinor: all.vatMinor - before.vatMinor,
})

/**
 * What a document says in pounds. Where it says nothing in pounds, and was in another currency, at the rate of the month of
 * the sale: of a credit note the difference of what had gone back with it and before it, so that the credit notes of an
 * invoice add up to it however many they are.
 */
export const inPounds = (document: BookedDocument, rates: SterlingRates): InPounds => {
  const { snapshot, saleDay } = document
  if (snapshot.currency === 'GBP') return { sums: snapshot, by: 'itself' }
  if (snapshot.sterling) return { sums: snapshot.sterling, by: 'invoice' }
  const { currency, netMinor, vatMinor } = snapshot
  const [rate, month] = [rateOfMonth(rates, currency, saleDay), monthOf(saleDay)]
  if (!rate) return { missing: { currency, month } }
  const before =
    document.kind === 'credit-note'
      ? { netMinor: Number(document.net_before ?? 0), vatMinor: Number(document.vat_before ?? 0) }
      : { netMinor: 0, vatMinor: 0 }
  const sums = minus(
    convertSums({ netMinor: before.netMinor + netMinor, vatMinor: before.vatMinor + vatMinor }, rate),
    convertSums(before, rate),
  )
  return { sums, by: 'month', currency, month, rateMicro: rate.rateMicro }
}

/** What was issued before taxes were kept was all the United Kingdom's. */
export const taxOf = ({
  snapshot: { vat, vatRate },
}: BookedDocument): Pick<TaxedDocument, 'treatment' | 'country' | 'rate'> => ({
  treatment: vat?.treatment ?? 'uk',
  country: vat?.country ?? null,
  rate: vatRate,
})
