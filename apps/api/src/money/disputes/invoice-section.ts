import type { EvidenceSection, Fact } from '@hedgerow/documents/evidence-pdf'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMoney } from '@hedgerow/domain/money'
import type { EvidencePurchase } from '#money/disputes/evidence.queries.ts'
import type { InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'

const sums = ({
  currency,
  discount,
  netMinor,
  vatMinor,
  vatRate,
  totalMinor,
  charged,
}: InvoiceSnapshot): Fact[] => [
  ...(discount
    ? [
        ['Price', formatMoney(discount.priceMinor, currency)] as const,
        [`Promocode ${discount.promocode}`, `−${formatMoney(discount.discountMinor, currency)}`] as const,
      ]
    : []),
  ['Net', formatMoney(netMinor, currency)],
  [`VAT ${vatRate}% included`, formatMoney(vatMinor, currency)],
  ['Total', formatMoney(totalMinor, currency)],
  ...(charged ? [['Charged', formatCharged(charged.minor, charged.currency)] as const] : []),
]

/** The invoice as a page of the evidence: what it says, from what is kept of it. Nothing where none was issued. */
export const invoiceSection = ({
  snapshot,
  invoice_year,
  invoice_number,
  invoice_issued_at,
}: EvidencePurchase): EvidenceSection[] => {
  if (!snapshot || invoice_year === null || invoice_number === null) return []
  const { issuer, buyer, description, details, method, pan, cardHolder, authCode, paidAt } = snapshot
  const { legalName, registeredOffice, number, vatNumber } = issuer.company
  return [
    {
      heading: `Invoice ${invoiceNumber(invoice_year, invoice_number)}`,
      isOnNewPage: true,
      facts: [
        ['Issued', invoice_issued_at ? formatUkTime(invoice_issued_at) : ''],
        [
          'Seller',
          [legalName, registeredOffice, `company number ${number}`, `VAT number ${vatNumber}`].join(', '),
        ],
        ...(buyer ? [['Buyer', [buyer.name, ...buyer.address].filter(Boolean).join(', ')] as const] : []),
        ['Paid', formatUkTime(new Date(paidAt))],
        ['Description', description],
        ['Details', details],
        ['Payment method', method],
        ...(pan ? [['Card number', pan] as const] : []),
        ...(cardHolder ? [['Card holder', cardHolder] as const] : []),
        ...(authCode ? [['Authorisation code', authCode] as const] : []),
        ...sums(snapshot),
      ],
    },
  ]
}
