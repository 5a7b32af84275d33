import type { InvoiceData } from '@hedgerow/contract/profile'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { toMajor } from '@hedgerow/domain/money'
import type { Trx } from '#database/client.ts'
import type { InvoiceSnapshot } from '#database/tables/invoices.table.ts'
import type { With } from '#dependencies.ts'
import { listDueOrdersOf, listInvoicesOf } from '#invoices/invoices.queries.ts'

const presentDiscount = ({ discount }: InvoiceSnapshot) =>
  discount
    ? {
        promocode: discount.promocode,
        price: toMajor(discount.priceMinor),
        discount: toMajor(discount.discountMinor),
      }
    : {}

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
    net: toMajor(snapshot.netMinor),
    vat: toMajor(snapshot.vatMinor),
    vatRate: snapshot.vatRate,
    ...presentDiscount(snapshot),
    total: toMajor(snapshot.totalMinor),
    issuer: { ...snapshot.issuer },
  }))

/** Whether a paid order of the customer's still waits for its invoice. */
export const lacksInvoice = async (trx: Trx, customerId: string): Promise<boolean> =>
  (await listDueOrdersOf(trx, customerId)).length > 0
