import type { Brand } from '@hedgerow/brand/brand'
import type { ChargedCurrency } from '@hedgerow/domain/exchange'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { TaxedSums, VatNumberStanding, VatTreatment } from '@hedgerow/domain/vat'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { RefundReason } from '#platform/database/tables/payments.table.ts'

/** Whom it is to: the business that gave a VAT number, else as the profile had it when it was issued. */
export type Buyer = {
  name: string
  /** Of the address, as it is printed; none where the profile has none. */
  address: readonly string[]
}

/**
 * What the place of supply was determined by (Implementing Regulation 282/2011 art. 24f): the country that was chosen, that
 * of the card or the bank, and that of the network. ISO 3166 codes; null where it is not known.
 */
export type PlaceEvidence = { chosen: string; bank: string | null; network: string | null }

/** What a sale owes, and by what that was found. `country` is null under the scheme that asks for none. */
export type InvoiceVat = {
  treatment: VatTreatment
  country: string | null
  /** Of a business customer, with its country's prefix. */
  number?: string
  numberStanding?: VatNumberStanding
  /** What VIES calls its answer. */
  consultation?: string
  evidence?: PlaceEvidence
}

/**
 * The sums in pounds, where the sale was in another currency (SI 1995/2518 reg. 14(1)): each converted by itself, the total
 * is their sum. `rateMicro`: millionths of a unit of the sale's currency for one pound, from `rateDay` ('YYYY-MM-DD') on.
 */
export type SterlingSums = TaxedSums & { rateMicro: number; rateDay: string }

/** What was charged, where the way of paying settles in another currency than the sale's. */
export type ChargedSum = { minor: number; currency: ChargedCurrency; rateMicro: number; ratedAt: string }

/** Who sold it. `ossNumber`: of the One Stop Shop, where the sale is declared there and the number was set. */
export type Issuer = Pick<Brand, 'name' | 'company'> & { ossNumber?: string }

/** All that is printed, as it was when the invoice was issued: what the shop changes later changes no invoice. */
export type InvoiceSnapshot = {
  issuer: Issuer
  paidAt: string
  description: string
  details: string
  method: string
  pan: string
  cardHolder: string
  authCode: string
  currency: CurrencyCode
  /** Left out where no promocode took anything off. */
  discount?: { promocode: string; priceMinor: number; discountMinor: number }
  totalMinor: number
  netMinor: number
  vatMinor: number
  /** In per cent, with at most one decimal. */
  vatRate: number
  /** What follows is left out of invoices that were issued before it was kept. */
  buyer?: Buyer
  vat?: InvoiceVat
  /** Left out where the sale was in pounds, and where there was no rate yet. */
  sterling?: SterlingSums
  charged?: ChargedSum
  /** Of one that stands in the place of another: which that was, what took it back, and when, which is when the books count it. */
  correction?: { invoice: string; issuedAt: string; creditNote: string; at: string }
}

/** What a credit note says; all sums are what the refund, or a correction, takes off the invoice, and positive. */
export type CreditNoteSnapshot = TaxedSums & {
  issuer: Issuer
  /** Of the invoice: '2026-000007', and when that was issued. */
  invoice: { orderId: string; number: string; issuedAt: string }
  /** When the money went back, or the invoice was corrected: the day of the decrease (SI 1995/2518 reg. 24A). */
  refundedAt: string
  reason: RefundReason | 'correction'
  description: string
  details: string
  method: string
  pan: string
  currency: CurrencyCode
  vatRate: number
  buyer?: Buyer
  vat?: InvoiceVat
  sterling?: SterlingSums
  /** What went back, where that was in another currency than the sale's; the rate is the invoice's. */
  charged?: ChargedSum
}

export type InvoicesTable = {
  order_id: string
  /** Of the payment, in London. */
  year: number
  number: number
  issued_at: ColumnType<Date, Date | undefined, never>
  snapshot: JSONColumnType<InvoiceSnapshot, string, never>
}

/** One for each refund of an invoiced payment, in a series of its own. */
export type CreditNotesTable = {
  refund_id: string
  payment_id: string
  /** Of the refund, in London. */
  year: number
  number: number
  issued_at: ColumnType<Date, Date | undefined, never>
  snapshot: JSONColumnType<CreditNoteSnapshot, string, never>
}

/** An invoice that was wrong, and in one row both papers that put it right: each invoice is corrected once. */
export type InvoiceCorrectionsTable = {
  id: string
  order_id: string
  payment_id: string
  /** The invoice that is corrected. */
  of_year: number
  of_number: number
  /** What of the payment had gone back by then, in the charged currency: the new invoice is of the rest. */
  noted_minor: number
  credit_snapshot: JSONColumnType<CreditNoteSnapshot, string, never>
  credit_number: number
  /** Of both, in London. */
  year: number
  number: number
  snapshot: JSONColumnType<InvoiceSnapshot, string, never>
  issued_at: ColumnType<Date, Date | undefined, never>
}

/**
 * An invoice of what is left of another and of what a lost dispute's credit note had taken off it, which came back. In the
 * same row the credit note of what was left, where anything was.
 */
export type RestoredInvoicesTable = Omit<
  InvoiceCorrectionsTable,
  'id' | 'credit_snapshot' | 'credit_number'
> & {
  id: Generated<string>
  /** Of the loss. */
  refund_id: string
  credit_snapshot: JSONColumnType<CreditNoteSnapshot | null, string | null, never>
  credit_number: number | null
}

/** Views: every document, those of corrections included, and of each order the invoice that counts. */
type DocumentView<Snapshot> = {
  id: ColumnType<string, never, never>
  year: ColumnType<number, never, never>
  number: ColumnType<number, never, never>
  issued_at: ColumnType<Date, never, never>
  snapshot: ColumnType<Snapshot, never, never>
}
type IssuedInvoicesView = DocumentView<InvoiceSnapshot> & { order_id: ColumnType<string, never, never> }
type IssuedCreditNotesView = DocumentView<CreditNoteSnapshot> & {
  /** Null: of a correction. */
  refund_id: ColumnType<string | null, never, never>
  payment_id: ColumnType<string, never, never>
}
type LiveInvoicesView = Omit<IssuedInvoicesView, 'id'> & { noted_minor: ColumnType<number, never, never> }

/**
 * What a currency is worth in the books. 'sterling': units for one pound, from a day on, as HMRC publishes them for a month.
 * 'ecb': units for one euro on that day, as the European Central Bank publishes them.
 */
export type AccountingRatesTable = {
  kind: 'sterling' | 'ecb'
  currency: string
  /** 'YYYY-MM-DD'. Read it as text (to_char): a date would come as midnight of this machine's zone. */
  day: ColumnType<never, string, never>
  /** In millionths. As bigint, which comes as text. */
  rate_micro: ColumnType<string, number, number>
  set_at: Generated<Date>
}

export type InvoiceCountersTable = { year: number; last: Generated<number> }

/** Numbers that are missing because a shop was restored: they were given in the one that was lost, or may have been. */
export type InvoiceGapsTable = {
  year: number
  first: number
  last: number
  created_at: ColumnType<Date, Date | undefined, never>
}

/** A paid order whose invoice could not be issued; gone when it is. */
export type FailingInvoicesTable = {
  payment_id: string
  /** The first time. */
  failed_at: Generated<Date>
  tries: Generated<number>
  next_try_at: Date
}

export type InvoicesTables = {
  invoices: InvoicesTable
  invoice_counters: InvoiceCountersTable
  invoice_gaps: InvoiceGapsTable
  failing_invoices: FailingInvoicesTable
  credit_notes: CreditNotesTable
  invoice_corrections: InvoiceCorrectionsTable
  restored_invoices: RestoredInvoicesTable
  issued_invoices: IssuedInvoicesView
  issued_credit_notes: IssuedCreditNotesView
  live_invoices: LiveInvoicesView
  credit_note_counters: InvoiceCountersTable
  credit_note_gaps: InvoiceGapsTable
  accounting_rates: AccountingRatesTable
}
