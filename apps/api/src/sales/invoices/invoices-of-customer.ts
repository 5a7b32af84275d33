import type { CreditNoteData, InvoiceData } from '@hedgerow/contract/account-data'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { toMajor } from '@hedgerow/domain/money'
import type { Trx } from '#platform/database/client.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
import { listNotesOf } from '#sales/invoices/credit-notes.queries.ts'
import { listDueOrdersOf, listInvoicesOf } from '#sales/invoices/invoices.queries.ts'

const presentDiscount = ({ discount }: InvoiceSnapshot) =>
  discount
    ? {
        promocode: discount.promocode,
        price: toMajor(discount.priceMinor),
        discount: toMajor(discount.discountMinor),
      }
    : {}

type Sums = { netMinor: number; vatMinor: number; totalMinor: number }

export const presentSums = ({ netMinor, vatMinor, totalMinor }: Sums) => ({
  net: toMajor(netMinor),
  vat: toMajor(vatMinor),
  total: toMajor(totalMinor),
})

/** What an older one did not keep is left out. */
const presentTax = ({ buyer, vat, sterling, charged }: InvoiceSnapshot | CreditNoteSnapshot) => ({
  ...(buyer ? { buyer: { name: buyer.name, address: [...buyer.address] } } : {}),
  ...(vat ? { taxedAs: { ...vat } } : {}),
  ...(sterling
    ? { sterling: { ...presentSums(sterling), rateMicro: sterling.rateMicro, rateDay: sterling.rateDay } }
    : {}),
  ...(charged
    ? {
        charged: {
          total: toMajor(charged.minor),
          currency: charged.currency,
          rateMicro: charged.rateMicro,
          ratedAt: charged.ratedAt,
        },
      }
    : {}),
})

/** What is held of a customer's invoices, for the file with all their data. */
export const invoicesForExport = async ({ db }: With<'db'>, customerId: string): Promise<InvoiceData[]> =>
  (await listInvoicesOf(db, customerId)).map(({ order_id, year, number, issued_at, snapshot }) => ({
    orderId: order_id,
    number: invoiceNumber(year, number),
    issuedAt: issued_at.toISOString(),
    paidAt: snapshot.paidAt,
    description: snapshot.description,
    details: snapshot.details,
    method: snapshot.method,
    pan: snapshot.pan,
    cardHolder: snapshot.cardHolder,
    authCode: snapshot.authCode,
    currency: snapshot.currency,
    vatRate: snapshot.vatRate,
    ...presentDiscount(snapshot),
    ...presentSums(snapshot),
    ...presentTax(snapshot),
    issuer: { ...snapshot.issuer },
  }))

/** The same of the credit notes. */
export const creditNotesForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<CreditNoteData[]> =>
  (await listNotesOf(db, customerId)).map(({ refund_id, payment_id, year, number, issued_at, snapshot }) => ({
    refundId: refund_id,
    paymentId: payment_id,
    number: creditNoteNumber(year, number),
    invoiceNumber: snapshot.invoice.number,
    issuedAt: issued_at.toISOString(),
    refundedAt: snapshot.refundedAt,
    reason: snapshot.reason,
    description: snapshot.description,
    details: snapshot.details,
    method: snapshot.method,
    pan: snapshot.pan,
    currency: snapshot.currency,
    vatRate: snapshot.vatRate,
    ...presentSums(snapshot),
    ...presentTax(snapshot),
    issuer: { ...snapshot.issuer },
  }))

/** Whether a paid order of the customer's still waits for its invoice. */
export const lacksInvoice = async (trx: Trx, customerId: string): Promise<boolean> =>
  (await listDueOrdersOf(trx, customerId)).length > 0
