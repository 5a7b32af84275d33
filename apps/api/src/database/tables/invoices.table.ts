import type { Brand } from '@hedgerow/brand/brand'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** All that is printed, as it was when the invoice was issued: what the shop changes later changes no invoice. */
export type InvoiceSnapshot = {
  issuer: Pick<Brand, 'name' | 'company'>
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
  vatRate: number
}

export type InvoicesTable = {
  order_id: string
  /** Of the payment, in London. */
  year: number
  number: number
  issued_at: ColumnType<Date, Date | undefined, never>
  snapshot: JSONColumnType<InvoiceSnapshot, string, never>
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
}
