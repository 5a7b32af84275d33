import type { InvoiceLine } from '@hedgerow/contract/console/invoices'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMoney } from '@hedgerow/domain/money'
import { VAT_TREATMENT_WORDS } from '@hedgerow/domain/vat'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import type { InvoiceReport, ListedCreditNote, ListedInvoice } from '#sales/invoices/read-invoices.ts'

type Snapshot = InvoiceSnapshot | CreditNoteSnapshot

/** 'One Stop Shop, DE, 19%'. */
const taxWords = (snapshot: Snapshot): string => {
  const { treatment = 'uk', country } = snapshot.vat ?? {}
  return [
    VAT_TREATMENT_WORDS[treatment],
    treatment === 'uk' ? undefined : country,
    snapshot.vatRate > 0 ? `${snapshot.vatRate}%` : 'no VAT',
  ]
    .filter(Boolean)
    .join(', ')
}

type Fact = readonly [string, string]
const when = (name: string, value: string | undefined | null): Fact[] => (value ? [[name, value]] : [])

const sterlingWords = ({ sterling }: Snapshot): string | undefined =>
  sterling &&
  `net ${formatMoney(sterling.netMinor, 'GBP')}, VAT ${formatMoney(sterling.vatMinor, 'GBP')}, ` +
    `total ${formatMoney(sterling.totalMinor, 'GBP')}, at ${formatRate(sterling.rateMicro)} of ${sterling.rateDay}`

const moneyFacts = (snapshot: Snapshot): Fact[] => [
  ['net', formatMoney(snapshot.netMinor, snapshot.currency)],
  ['VAT', `${formatMoney(snapshot.vatMinor, snapshot.currency)} (${taxWords(snapshot)})`],
  ['total', formatMoney(snapshot.totalMinor, snapshot.currency)],
  ...when('in pounds', sterlingWords(snapshot)),
  ...when(
    'charged',
    snapshot.charged &&
      `${formatCharged(snapshot.charged.minor, snapshot.charged.currency)} at ${formatRate(snapshot.charged.rateMicro)}`,
  ),
]

const buyerFacts = ({ buyer, vat }: Snapshot): Fact[] => [
  ['to', buyer ? [buyer.name, ...buyer.address].join(', ') : 'not known'],
  ...when('VAT number', vat?.number && `${vat.number} (${vat.numberStanding ?? 'unchecked'})`),
  ...when('VIES', vat?.consultation),
  ...when(
    'evidence',
    vat?.evidence &&
      `chosen ${vat.evidence.chosen}, bank ${vat.evidence.bank ?? 'not known'}, network ${vat.evidence.network ?? 'not known'}`,
  ),
]

const creditLine = ({ year, number, snapshot }: ListedCreditNote): string =>
  `${creditNoteNumber(year, number)} of ${formatDate(new Date(snapshot.refundedAt))}: ${formatMoney(snapshot.totalMinor, snapshot.currency)}`

const paymentWords = ({ payment }: InvoiceReport): string =>
  payment
    ? `${payment.id}, ${payment.status}, ${formatCharged(payment.charged_minor, payment.charged_currency)} charged, ` +
      `${formatCharged(payment.refunded_minor, payment.charged_currency)} given back`
    : 'not known'

/** All that an invoice says, and what became of it. */
export const invoiceFacts = (report: InvoiceReport): Fact[] => {
  const { invoice, creditNotes } = report
  const { snapshot } = invoice
  return [
    ['invoice', invoiceNumber(invoice.year, invoice.number)],
    ['issued', formatUkTime(invoice.issued_at)],
    ['paid', formatUkTime(new Date(snapshot.paidAt))],
    ...when(
      'in place of',
      snapshot.correction && `${snapshot.correction.invoice}, credited by ${snapshot.correction.creditNote}`,
    ),
    ['by', snapshot.issuer.company.legalName || snapshot.issuer.name],
    ...buyerFacts(snapshot),
    ['for', `${snapshot.description}: ${snapshot.details}`],
    ...when(
      'discount',
      snapshot.discount &&
        `${formatMoney(snapshot.discount.discountMinor, snapshot.currency)} by ${snapshot.discount.promocode}`,
    ),
    ...moneyFacts(snapshot),
    ['paid by', `${snapshot.method}, ${snapshot.pan}, ${snapshot.cardHolder}, code ${snapshot.authCode}`],
    ['payment', paymentWords(report)],
    ['order', invoice.order_id],
    ...(creditNotes.length === 0
      ? [['credit notes', 'none'] as const]
      : creditNotes.map((note) => ['credit note', creditLine(note)] as const)),
  ]
}

export const creditNoteFacts = ({
  year,
  number,
  issued_at,
  snapshot,
  payment_id,
  refund_id,
}: ListedCreditNote): Fact[] => [
  ['credit note', creditNoteNumber(year, number)] as const,
  ['issued', formatUkTime(issued_at)],
  [
    snapshot.reason === 'correction' ? 'corrected' : 'given back',
    formatUkTime(new Date(snapshot.refundedAt)),
  ],
  ['invoice', `${snapshot.invoice.number} of ${formatDate(new Date(snapshot.invoice.issuedAt))}`],
  ['because', snapshot.reason],
  ...buyerFacts(snapshot),
  ['for', `${snapshot.description}: ${snapshot.details}`],
  ...moneyFacts(snapshot),
  ['payment', payment_id],
  ...when('refund', refund_id),
]

const lineOf = (snapshot: Snapshot) => {
  const { currency, netMinor, vatMinor, totalMinor } = snapshot
  return {
    net: { minor: netMinor, currency },
    vat: { minor: vatMinor, currency },
    total: { minor: totalMinor, currency },
    tax: taxWords(snapshot),
    charged: snapshot.charged
      ? { minor: snapshot.charged.minor, currency: snapshot.charged.currency }
      : { minor: totalMinor, currency },
  }
}

export const invoiceLine = ({ year, number, issued_at, snapshot, ...row }: ListedInvoice): InvoiceLine => ({
  number: invoiceNumber(year, number),
  issuedAt: issued_at.toISOString(),
  at: snapshot.paidAt,
  ...lineOf(snapshot),
  orderId: row.order_id,
  paymentId: row.payment_id,
  operationId: row.operation_id,
  credited: { minor: Number(row.credited_minor), currency: snapshot.currency },
})

export const creditNoteLine = ({ year, number, issued_at, snapshot, ...row }: ListedCreditNote) => ({
  number: creditNoteNumber(year, number),
  issuedAt: issued_at.toISOString(),
  at: snapshot.refundedAt,
  ...lineOf(snapshot),
  orderId: snapshot.invoice.orderId,
  invoice: snapshot.invoice.number,
  paymentId: row.payment_id,
  refundId: row.refund_id,
  operationId: row.operation_id,
  reason: snapshot.reason,
})
