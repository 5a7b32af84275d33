import { isoDay } from '@hedgerow/domain/dates'
import { formatMinor } from '@hedgerow/domain/money'
import type { TaxedSums } from '@hedgerow/domain/vat'
import type { ExportLine } from '#accounting/books/export-lines.ts'

type SummaryKey = Pick<ExportLine, 'currency' | 'treatment' | 'country' | 'rate'> & { day: string }
export type SummaryLine = SummaryKey & {
  invoices: number
  creditNotes: number
  sums: TaxedSums
  pounds: TaxedSums
}

/** What was sold less what went back, by day, currency, tax, country and rate. */
export type DailySummary = Map<string, SummaryLine>

const noSums = (): TaxedSums => ({ totalMinor: 0, netMinor: 0, vatMinor: 0 })

const add = (sums: TaxedSums, more: TaxedSums | null): void => {
  if (!more) return
  sums.totalMinor += more.totalMinor
  sums.netMinor += more.netMinor
  sums.vatMinor += more.vatMinor
}

export const addToSummary = (summary: DailySummary, line: ExportLine): void => {
  const { currency, treatment, country, rate } = line
  const day = isoDay(line.taxPoint)
  const key = [day, currency, treatment, country, String(rate).padStart(4, '0')].join()
  const known = summary.get(key) ?? {
    day,
    currency,
    treatment,
    country,
    rate,
    invoices: 0,
    creditNotes: 0,
    sums: noSums(),
    pounds: noSums(),
  }
  if (line.kind === 'invoice') known.invoices += 1
  else known.creditNotes += 1
  add(known.sums, line.sums)
  add(known.pounds, line.pounds)
  summary.set(key, known)
}

export const SUMMARY_HEADS = [
  'day',
  'currency',
  'treatment',
  'country',
  'rate',
  'invoices',
  'creditNotes',
  'net',
  'vat',
  'total',
  'sterlingNet',
  'sterlingVat',
  'sterlingTotal',
] as const

const money = ({ netMinor, vatMinor, totalMinor }: TaxedSums): string[] =>
  [netMinor, vatMinor, totalMinor].map(formatMinor)

export const summaryRows = (summary: DailySummary): string[][] =>
  [...summary]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { day, currency, treatment, country, rate, invoices, creditNotes, sums, pounds }]) => [
      day,
      currency,
      treatment,
      country ?? '',
      String(rate),
      String(invoices),
      String(creditNotes),
      ...money(sums),
      ...money(pounds),
    ])
