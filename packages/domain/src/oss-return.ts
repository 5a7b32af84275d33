import { convertBack } from './exchange.ts'
import type { CurrencyCode } from './money.ts'

/** A sale to a consumer of a member state, or what a credit note takes off one: positive sums of its own currency. */
export type OssDocument = {
  kind: 'invoice' | 'credit-note'
  country: string
  rate: number
  currency: CurrencyCode
  netMinor: number
  vatMinor: number
  /** Of the sale: '2026-Q4'. A credit note may come later. */
  saleQuarter: string
}

type Sums = { netMinor: number; vatMinor: number }

/** What is left of the sales of a quarter, by member state and rate, in each currency by itself. */
type OssPart = {
  country: string
  rate: number
  saleQuarter: string
  invoices: number
  creditNotes: number
  sums: Record<CurrencyCode, Sums>
}

export type OssSums = Map<string, OssPart>

const noSums = (): Sums => ({ netMinor: 0, vatMinor: 0 })

const partOf = (sums: OssSums, { country, rate, saleQuarter }: OssDocument): OssPart => {
  const key = [country, rate, saleQuarter].join()
  const part = sums.get(key) ?? {
    country,
    rate,
    saleQuarter,
    invoices: 0,
    creditNotes: 0,
    sums: { EUR: noSums(), GBP: noSums() },
  }
  sums.set(key, part)
  return part
}

/** In any order. */
export const addToOssSums = (sums: OssSums, document: OssDocument): void => {
  const part = partOf(sums, document)
  const isInvoice = document.kind === 'invoice'
  if (isInvoice) part.invoices += 1
  else part.creditNotes += 1
  const of = part.sums[document.currency]
  of.netMinor += isInvoice ? document.netMinor : -document.netMinor
  of.vatMinor += isInvoice ? document.vatMinor : -document.vatMinor
}

const isNought = ({ netMinor, vatMinor }: Sums): boolean => netMinor === 0 && vatMinor === 0

/** The quarters whose last day's rate is needed, because something of them is in pounds. */
export const quartersInPounds = (sums: OssSums): string[] =>
  [
    ...new Set(
      [...sums.values()].filter((part) => !isNought(part.sums.GBP)).map(({ saleQuarter }) => saleQuarter),
    ),
  ].sort()

/** In euro cents; `inEuro` and `inPounds` are what it is made of, each in its own currency. */
export type OssRow = {
  country: string
  rate: number
  invoices: number
  creditNotes: number
  inEuro: Sums
  inPounds: Sums
} & Sums

/** What credit notes of this quarter take off the VAT of an earlier one: negative cents. */
export type OssCorrection = { country: string; period: string; creditNotes: number } & Sums

export type SummedOss = {
  rows: OssRow[]
  corrections: OssCorrection[]
  /** `dueMinor`: the VAT of the rows less the corrections. */
  totals: Sums & { correctionsMinor: number; dueMinor: number }
}

/**
 * Pounds at the rate of the last day of the quarter in which the sale was, also where a later quarter corrects it (Directive
 * 2006/112/EC art. 366): what goes back whole takes off what was declared.
 */
const inEuro = ({ sums, saleQuarter }: OssPart, rateOf: (quarter: string) => number): Sums => {
  const { EUR, GBP } = sums
  if (isNought(GBP)) return { ...EUR }
  const rateMicro = rateOf(saleQuarter)
  return {
    netMinor: EUR.netMinor + convertBack(GBP.netMinor, rateMicro),
    vatMinor: EUR.vatMinor + convertBack(GBP.vatMinor, rateMicro),
  }
}

const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const total = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0)

const correctionsOf = (parts: readonly OssPart[], rateOf: (quarter: string) => number): OssCorrection[] => {
  const corrections = new Map<string, OssCorrection>()
  for (const part of parts) {
    const { country, saleQuarter: period } = part
    const key = `${country},${period}`
    const { netMinor, vatMinor } = inEuro(part, rateOf)
    const known = corrections.get(key) ?? { country, period, creditNotes: 0, ...noSums() }
    corrections.set(key, {
      ...known,
      creditNotes: known.creditNotes + part.creditNotes,
      netMinor: known.netMinor + netMinor,
      vatMinor: known.vatMinor + vatMinor,
    })
  }
  return [...corrections.values()].sort(
    (one, other) => byName(one.country, other.country) || byName(one.period, other.period),
  )
}

/**
 * The return of a quarter: its sales less the credit notes on them, and apart from these the corrections of earlier
 * quarters. `rateOf`: pounds for one euro, in millionths, on a quarter's last day.
 */
export const ossReturnOf = (
  sums: OssSums,
  quarter: string,
  rateOf: (quarter: string) => number,
): SummedOss => {
  const parts = [...sums.values()]
  const rows = parts
    .filter(({ saleQuarter }) => saleQuarter === quarter)
    .map((part): OssRow => {
      const { country, rate, invoices, creditNotes } = part
      return {
        country,
        rate,
        invoices,
        creditNotes,
        inEuro: part.sums.EUR,
        inPounds: part.sums.GBP,
        ...inEuro(part, rateOf),
      }
    })
    .sort((one, other) => byName(one.country, other.country) || one.rate - other.rate)
  const corrections = correctionsOf(
    parts.filter(({ saleQuarter }) => saleQuarter !== quarter),
    rateOf,
  )
  const vatMinor = total(rows, (row) => row.vatMinor)
  const correctionsMinor = total(corrections, (correction) => correction.vatMinor)
  return {
    rows,
    corrections,
    totals: {
      netMinor: total(rows, (row) => row.netMinor),
      vatMinor,
      correctionsMinor,
      dueMinor: vatMinor + correctionsMinor,
    },
  }
}
