import type { CreditNoteData } from '@hedgerow/documents/credit-note-pdf'
import type { InvoiceData } from '@hedgerow/documents/invoice-pdf'
import type { Sterling, TaxFacts } from '@hedgerow/documents/tax-document'
import { countryInText } from '@hedgerow/domain/countries'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatDiscount, formatMoney } from '@hedgerow/domain/money'
import type {
  Buyer,
  CreditNoteSnapshot,
  InvoiceSnapshot,
  InvoiceVat,
  SterlingSums,
} from '#platform/database/tables/invoices.table.ts'

type Numbered<Snapshot> = { year: number; number: number; issued_at: Date; snapshot: Snapshot }

/** '2026-11-01' → '01/11/2026'. */
const formatDay = (day: string): string => day.split('-').reverse().join('/')

const customerOf = (buyer: Buyer, vat: InvoiceVat | undefined): TaxFacts['customer'] => ({
  ...buyer,
  ...(vat?.number ? { vatNumber: vat.number } : {}),
})

const supplyOf = ({ treatment, country }: InvoiceVat): TaxFacts['supply'] => ({
  treatment,
  ...(country ? { country: countryInText(country) } : {}),
})

export const sterlingOf = (sums: SterlingSums, currency: string): Sterling => ({
  net: formatMoney(sums.netMinor, 'GBP'),
  vat: formatMoney(sums.vatMinor, 'GBP'),
  total: formatMoney(sums.totalMinor, 'GBP'),
  rate: formatRate(sums.rateMicro),
  currency,
  since: formatDay(sums.rateDay),
})

const taxFactsOf = ({ buyer, vat, sterling, charged, currency }: InvoiceSnapshot | CreditNoteSnapshot) =>
  ({
    ...(buyer ? { customer: customerOf(buyer, vat) } : {}),
    ...(vat ? { supply: supplyOf(vat) } : {}),
    ...(sterling ? { sterling: sterlingOf(sterling, currency) } : {}),
    ...(charged
      ? {
          charged: {
            sum: formatCharged(charged.minor, charged.currency),
            rate: formatRate(charged.rateMicro),
            currency,
            ratedAt: formatUkTime(new Date(charged.ratedAt)),
          },
        }
      : {}),
  }) as TaxFacts

const sumsOf = ({ currency, netMinor, vatMinor, vatRate }: InvoiceSnapshot | CreditNoteSnapshot) => ({
  net: formatMoney(netMinor, currency),
  vat: formatMoney(vatMinor, currency),
  vatRate,
})

const discountOf = ({ discount, currency }: InvoiceSnapshot) =>
  discount
    ? {
        discount: {
          price: formatMoney(discount.priceMinor, currency),
          label: `Promocode ${discount.promocode}`,
          sum: formatDiscount(discount.discountMinor, currency),
        },
      }
    : {}

/** What is printed, of what was kept. What older ones did not keep is left out. */
export const presentInvoice = ({
  year,
  number,
  issued_at,
  snapshot,
}: Numbered<InvoiceSnapshot>): Extract<InvoiceData, { kind: 'invoice' }> => {
  const { issuer, currency, description, details, method, pan, cardHolder, authCode, vat, correction } =
    snapshot
  return {
    kind: 'invoice',
    issuer,
    made: issued_at,
    number: invoiceNumber(year, number),
    issued: formatUkTime(issued_at),
    details,
    ...(correction
      ? {
          replaces: `${correction.invoice}, issued ${formatUkTime(new Date(correction.issuedAt))}, taken back by credit note ${correction.creditNote}`,
        }
      : {}),
    ...(vat ? { quantity: `1, at ${formatMoney(snapshot.netMinor, currency)} without VAT` } : {}),
    ...discountOf(snapshot),
    ...sumsOf(snapshot),
    ...taxFactsOf(snapshot),
    payment: {
      timestamp: formatUkTime(new Date(snapshot.paidAt)),
      description,
      authCode,
      method,
      pan,
      cardHolder,
      total: formatMoney(snapshot.totalMinor, currency),
    },
  }
}

const REASONS: Readonly<Record<CreditNoteSnapshot['reason'], string>> = {
  operator: 'Refund',
  'at-the-gateway': 'Refund',
  'paid-twice': 'Paid twice',
  'account-erased': 'The account had been deleted',
  'other-sum': 'Another amount arrived than was asked for',
  cancelled: 'The purchase was cancelled',
  dispute: "Taken back by the customer's bank",
  correction: 'Correction of the invoice. No money moves',
}

/** What is printed of a credit note. */
export const presentCreditNote = ({
  year,
  number,
  issued_at,
  snapshot,
}: Numbered<CreditNoteSnapshot>): CreditNoteData => {
  const { issuer, invoice, currency, description, details, method, pan, reason } = snapshot
  return {
    kind: 'credit-note',
    issuer,
    made: issued_at,
    number: creditNoteNumber(year, number),
    issued: formatUkTime(issued_at),
    invoice: { number: invoice.number, issued: formatUkTime(new Date(invoice.issuedAt)) },
    refunded: formatUkTime(new Date(snapshot.refundedAt)),
    ...(reason === 'correction' ? { isCorrection: true } : {}),
    reason: REASONS[reason],
    description,
    details,
    method,
    // Only of a card; else the invoice says that none was given.
    ...(pan.includes('*') ? { pan } : {}),
    ...sumsOf(snapshot),
    ...taxFactsOf(snapshot),
    total: formatMoney(snapshot.totalMinor, currency),
  }
}
