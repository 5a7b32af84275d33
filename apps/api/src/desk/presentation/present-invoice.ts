import { formatDate, formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged, formatMinorOf, formatRate } from '@hedgerow/domain/exchange'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import type { TaxedSums, VatTreatment } from '@hedgerow/domain/vat'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import type { InvoiceReport, ListedCreditNote, ListedInvoice } from '#sales/invoices/read-invoices.ts'

type Snapshot = InvoiceSnapshot | CreditNoteSnapshot

const presentSums = ({ netMinor, vatMinor, totalMinor }: TaxedSums) => ({
  net: formatMinor(netMinor),
  vat: formatMinor(vatMinor),
  total: formatMinor(totalMinor),
})

const treatmentOf = ({ vat }: Snapshot): VatTreatment => vat?.treatment ?? 'uk'

/** What both kinds of documents say, for programs. */
const presentSnapshot = (snapshot: Snapshot) => ({
  currency: snapshot.currency,
  ...presentSums(snapshot),
  vatRate: snapshot.vatRate,
  treatment: treatmentOf(snapshot),
  country: snapshot.vat?.country ?? null,
  vatNumber: snapshot.vat?.number ?? null,
  sterling: snapshot.sterling
    ? {
        ...presentSums(snapshot.sterling),
        rate: formatRate(snapshot.sterling.rateMicro),
        rateFrom: snapshot.sterling.rateDay,
      }
    : null,
  charged: snapshot.charged
    ? {
        amount: formatMinorOf(snapshot.charged.minor, snapshot.charged.currency),
        currency: snapshot.charged.currency,
        rate: formatRate(snapshot.charged.rateMicro),
      }
    : null,
})

/** For lists: no names. */
export const presentListedInvoice = ({
  order_id,
  year,
  number,
  issued_at,
  snapshot,
  credited_minor,
}: ListedInvoice) => ({
  number: invoiceNumber(year, number),
  issuedAt: issued_at.toISOString(),
  paidAt: snapshot.paidAt,
  orderId: order_id,
  ...presentSnapshot(snapshot),
  credited: formatMinor(Number(credited_minor)),
})

export const presentListedNote = ({
  refund_id,
  payment_id,
  year,
  number,
  issued_at,
  snapshot,
}: ListedCreditNote) => ({
  number: creditNoteNumber(year, number),
  issuedAt: issued_at.toISOString(),
  refundedAt: snapshot.refundedAt,
  invoice: snapshot.invoice.number,
  orderId: snapshot.invoice.orderId,
  paymentId: payment_id,
  refundId: refund_id,
  reason: snapshot.reason,
  ...presentSnapshot(snapshot),
})

const presentText = (snapshot: Snapshot) => ({
  issuer: snapshot.issuer,
  buyer: snapshot.buyer ?? null,
  description: snapshot.description,
  details: snapshot.details,
  method: snapshot.method,
  pan: snapshot.pan,
})

const presentPayment = (payment: InvoiceReport['payment']) =>
  payment
    ? {
        id: payment.id,
        status: payment.status,
        method: payment.method,
        charged: formatMinorOf(payment.charged_minor, payment.charged_currency),
        chargedCurrency: payment.charged_currency,
        refunded: formatMinorOf(payment.refunded_minor, payment.charged_currency),
        customerId: payment.customer_id,
      }
    : null

export const presentInvoice = ({ invoice, payment, creditNotes }: InvoiceReport) => {
  const { snapshot } = invoice
  return {
    ...presentListedInvoice(invoice),
    ...presentText(snapshot),
    cardHolder: snapshot.cardHolder,
    authCode: snapshot.authCode,
    discount: snapshot.discount
      ? {
          promocode: snapshot.discount.promocode,
          price: formatMinor(snapshot.discount.priceMinor),
          discount: formatMinor(snapshot.discount.discountMinor),
        }
      : null,
    vatEvidence: snapshot.vat?.evidence ?? null,
    vatNumberStanding: snapshot.vat?.numberStanding ?? null,
    vatConsultation: snapshot.vat?.consultation ?? null,
    payment: presentPayment(payment),
    creditNotes: creditNotes.map(presentListedNote),
  }
}

export const presentCreditNote = (note: ListedCreditNote) => ({
  ...presentListedNote(note),
  ...presentText(note.snapshot),
})

const TREATMENTS: Readonly<Record<VatTreatment, string>> = {
  uk: 'United Kingdom',
  oss: 'One Stop Shop',
  'reverse-charge': 'reverse charge',
  outside: 'outside the UK and the EU',
}

/** 'One Stop Shop, DE, 19%'. */
export const taxWords = (snapshot: Snapshot): string => {
  const [treatment, country] = [treatmentOf(snapshot), snapshot.vat?.country]
  return [
    TREATMENTS[treatment],
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
    ['issued', formatDateTime(invoice.issued_at)],
    ['paid', formatDateTime(new Date(snapshot.paidAt))],
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
  ['credit note', creditNoteNumber(year, number)],
  ['issued', formatDateTime(issued_at)],
  ['given back', formatDateTime(new Date(snapshot.refundedAt))],
  ['invoice', `${snapshot.invoice.number} of ${formatDate(new Date(snapshot.invoice.issuedAt))}`],
  ['because', snapshot.reason],
  ...buyerFacts(snapshot),
  ['for', `${snapshot.description}: ${snapshot.details}`],
  ...moneyFacts(snapshot),
  ['payment', payment_id],
  ['refund', refund_id],
]
