import { formatDate, isoDay } from '@hedgerow/domain/dates'
import { formatMinorOf, formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMinor } from '@hedgerow/domain/money'
import type { Sum } from '@hedgerow/domain/settlement'
import type { TaxedSums, VatTreatment } from '@hedgerow/domain/vat'
import { HOME_COUNTRY } from '@hedgerow/domain/vat-rates'
import { inPounds, taxOf } from '#accounting/books/in-pounds.ts'
import type { References } from '#accounting/settlement/references.ts'
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
  /** The day of the sale, in London. */
  saleDay: string
  /** Its own number, or of a credit note that of the invoice that it is on. */
  invoice: string
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
  /** What the customer was charged, or got back: other money than the document's where it was paid by Blik. */
  charged: Sum
  /** Null while there is no rate. */
  pounds: TaxedSums | null
  /** Units of the currency for one pound, and the first day of the rate, where one was used. */
  poundRate: { rateMicro: number; from: string } | null
  orderId: string
  /** Null where the payment is not kept any more. */
  paymentId: string | null
  /** Of a credit note. */
  refundId: string | null
  /** The gateway's; null where none is known. */
  operationId: string | null
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

const chargedOf = ({ snapshot }: BookedDocument, sign: number): Sum => {
  const { minor, currency } = snapshot.charged ?? { minor: snapshot.totalMinor, currency: snapshot.currency }
  return { minor: sign * minor || 0, currency }
}

export const exportLine = (
  document: BookedDocument,
  rates: SterlingRates,
  paymentId: string | null,
  { operations }: Pick<References, 'operations'>,
): ExportLine => {
  const { kind, snapshot, year, number, issued_at, taxPoint } = document
  const isInvoice = kind === 'invoice'
  const sign = isInvoice ? 1 : -1
  const tax = taxOf(document)
  const ownNumber = isInvoice ? invoiceNumber(year, number) : creditNoteNumber(year, number)
  const refundId = isInvoice ? null : document.refund_id
  return {
    kind,
    number: ownNumber,
    issuedAt: issued_at,
    taxPoint,
    saleDay: document.saleDay,
    invoice: isInvoice ? ownNumber : document.snapshot.invoice.number,
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
    charged: chargedOf(document, sign),
    ...poundsOf(document, rates, sign),
    orderId: isInvoice ? document.order_id : document.snapshot.invoice.orderId,
    paymentId,
    refundId,
    operationId: operations.get((isInvoice ? paymentId : refundId) ?? '') ?? null,
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
  creditNote: line.kind === 'credit-note' ? line.number : null,
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
  charged: formatMinorOf(line.charged.minor, line.charged.currency),
  chargedCurrency: line.charged.currency,
  orderId: line.orderId,
  paymentId: line.paymentId,
  refundId: line.refundId,
  operationId: line.operationId,
})

/** 21/11/2026, as British programs read it. */
export const britishDay = (line: ExportLine): string => formatDate(line.taxPoint)
