import type { InvoiceData } from '@hedgerow/documents/invoice-pdf'
import { formatDateTime } from '@hedgerow/domain/dates'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { formatDiscount, formatMoney } from '@hedgerow/domain/money'
import type { InvoiceSnapshot } from '#database/tables/invoices.table.ts'

type Issued = { year: number; number: number; issued_at: Date; snapshot: InvoiceSnapshot }

/** What is printed, of what was kept. */
export const presentInvoice = ({
  year,
  number,
  issued_at,
  snapshot,
}: Issued): Extract<InvoiceData, { kind: 'invoice' }> => {
  const { issuer, currency, discount, vatRate, description, details, method, pan, cardHolder, authCode } =
    snapshot
  const money = (minor: number) => formatMoney(minor, currency)
  return {
    kind: 'invoice',
    issuer,
    made: issued_at,
    number: invoiceNumber(year, number),
    issued: formatDateTime(issued_at),
    details,
    ...(discount
      ? {
          discount: {
            price: money(discount.priceMinor),
            label: `Promocode ${discount.promocode}`,
            sum: formatDiscount(discount.discountMinor, currency),
          },
        }
      : {}),
    net: money(snapshot.netMinor),
    vat: money(snapshot.vatMinor),
    vatRate,
    payment: {
      timestamp: formatDateTime(new Date(snapshot.paidAt)),
      description,
      authCode,
      method,
      pan,
      cardHolder,
      total: money(snapshot.totalMinor),
    },
  }
}
