import { formatDate, isoDay } from '@hedgerow/domain/dates'
import { formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMinor } from '@hedgerow/domain/money'
import type { TaxedSums, VatTreatment } from '@hedgerow/domain/vat'
import { HOME_COUNTRY } from '@hedgerow/domain/vat-rates'
import { inPounds, taxOf } from '#accounting/books/in-pounds.ts'
import type { BookedDocument } from '#sales/invoices/documents.ts'
import type { SterlingRates } from '#sales/invoices/sterling.ts'

/** Who is in the books for a customer who is not known any more, or never said a name. */
const ONLINE_SALES = 'Online sales'

/** An invoice or a credit note as accounts know it; sums in minor units, those of a credit note negative. */
export type ExportLine = {
  kind: BookedDocument['kind']
  number: string
  issuedAt: Date
  taxPoint: Date
  /** Of a credit note: the invoice that it is on. */
  invoice: string | null
  customer: string
  address: readonly string[]
  treatment: VatTreatment
  country: string | null
  vatNumber: string | null
  rate: number
  description: string
  details: string
  method: string
  currency: string
  sums: TaxedSums
  /** Null while there is no rate. */
  pounds: TaxedSums | null
  /** Units of the currency for one pound, and the first day of the rate, where one was used. */
  poundRate: { rateMicro: number; from: string } | null
  orderId: string
}

const signed = ({ netMinor, vatMinor, totalMinor }: TaxedSums, sign: number): TaxedSums => ({
  netMinor: sign * netMinor || 0,
  vatMinor: sign * vatMinor || 0,
  totalMinor: sign * totalMinor || 0,
})

const poundsOf = (document: BookedDocument, rates: SterlingRates, sign: number) => {
  const found = inPounds(document, rates)
  if ('missing' in found) return { pounds: null, poundRate: null }
  const pounds = signed(found.sums, sign)
  const { sterling } = document.snapshot
  if (found.by === 'month')
    return { pounds, poundRate: { rateMicro: found.rateMicro, from: `${found.month}-01` } }
  return {
    pounds,
    poundRate: sterling ? { rateMicro: sterling.rateMicro, from: sterling.rateDay } : null,
  }
}

export const exportLine = (document: BookedDocument, rates: SterlingRates): ExportLine => {
  const { kind, snapshot, year, number, issued_at, taxPoint } = document
  const isInvoice = kind === 'invoice'
  const sign = isInvoice ? 1 : -1
  const tax = taxOf(document)
  return {
    kind,
    number: isInvoice ? invoiceNumber(year, number) : creditNoteNumber(year, number),
    issuedAt: issued_at,
    taxPoint,
    invoice: isInvoice ? null : document.snapshot.invoice.number,
    customer: snapshot.buyer?.name ?? ONLINE_SALES,
    address: snapshot.buyer?.address ?? [],
    ...tax,
    country: tax.treatment === 'uk' ? HOME_COUNTRY : tax.country,
    vatNumber: snapshot.vat?.number ?? null,
    description: snapshot.description,
    details: snapshot.details,
    method: snapshot.method,
    currency: snapshot.currency,
    sums: signed(snapshot, sign),
    ...poundsOf(document, rates, sign),
    orderId: isInvoice ? document.order_id : document.snapshot.invoice.orderId,
  }
}

const moneyOf = (sums: TaxedSums | null) =>
  sums
    ? {
        net: formatMinor(sums.netMinor),
        vat: formatMinor(sums.vatMinor),
        total: formatMinor(sums.totalMinor),
      }
    : null

/** For programs: the same facts in JSON and in our CSV, amounts as strings, times in ISO 8601, days London's. */
export const presentLine = (line: ExportLine) => ({
  kind: line.kind,
  number: line.number,
  issuedAt: line.issuedAt.toISOString(),
  taxPoint: isoDay(line.taxPoint),
  invoice: line.invoice,
  customer: line.customer,
  address: [...line.address],
  treatment: line.treatment,
  country: line.country,
  vatNumber: line.vatNumber,
  rate: line.rate,
  description: line.description,
  details: line.details,
  method: line.method,
  currency: line.currency,
  ...(moneyOf(line.sums) as NonNullable<ReturnType<typeof moneyOf>>),
  sterling: moneyOf(line.pounds),
  sterlingRate: line.poundRate && formatRate(line.poundRate.rateMicro),
  sterlingRateFrom: line.poundRate?.from ?? null,
  orderId: line.orderId,
})

/** 21/11/2026, as British programs read it. */
export const britishDay = (line: ExportLine): string => formatDate(line.taxPoint)
