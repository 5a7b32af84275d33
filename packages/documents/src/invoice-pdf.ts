import { finish, newDocument, rule, setText } from './page.ts'
import { printedCustomer } from './printable.ts'
import {
  companyLines,
  contactLine,
  DENSITIES,
  type Density,
  END,
  FULL,
  onOnePage,
  type Page,
  QUIET,
  ROOMY,
  type Row,
  setFacts,
  setNotes,
  setOtherSums,
  setParties,
  setParty,
  setSums,
  setTitle,
  TOO_LONG,
} from './sheet.ts'
import { type Issuer, notesOf, type TaxFacts, vatLabelOf } from './tax-document.ts'
import { refuseUnsettable, TextRefused, whyNotSettable } from './text-refused.ts'

/** What both documents say of a payment; the texts are printed as they are. */
export type PaymentFacts = {
  timestamp: string
  description: string
  authCode: string
  method: string
  /** Masked. */
  pan: string
  cardHolder: string
  total: string
}

/** An invoice of ours, with all that makes it one; or a record of what someone typed, with nothing that does. */
export type InvoiceData = { issuer: Issuer; made: Date; payment: PaymentFacts } & (
  | ({
      kind: 'invoice'
      number: string
      issued: string
      /** What was bought, in words. */
      details: string
      /** The invoice in whose place it stands, and the credit note that took that back. */
      replaces?: string
      /** How often, and at what price without VAT; left out of invoices of before the tax was kept. */
      quantity?: string
      /** Left out where nothing was taken off the price. */
      discount?: { price: string; label: string; sum: string }
      net: string
      vat: string
      vatRate: number
    } & TaxFacts)
  | { kind: 'record' }
)

type Invoice = Extract<InvoiceData, { kind: 'invoice' }>

const isInvoice = (data: InvoiceData): data is Invoice & InvoiceData => data.kind === 'invoice'

/** Since the tax is kept, an invoice says of its time that it is what the tax goes by. */
const timeLabelOf = (data: InvoiceData): string =>
  isInvoice(data) && data.supply ? 'Paid (tax point)' : 'Date of payment'

const rowsOf = (data: InvoiceData): Row[] => {
  const { timestamp, description, method, pan, cardHolder, authCode } = data.payment
  return [
    { path: 'timestamp', label: timeLabelOf(data), value: timestamp, mostLines: 2 },
    { path: 'description', label: 'Description', value: description, mostLines: 8 },
    ...(isInvoice(data) ? [{ path: 'details', label: 'Details', value: data.details, mostLines: 4 }] : []),
    ...(isInvoice(data) && data.replaces
      ? [{ path: 'replaces', label: 'Replaces invoice', value: data.replaces, mostLines: 3 }]
      : []),
    ...(isInvoice(data) && data.quantity
      ? [{ path: 'quantity', label: 'Quantity', value: data.quantity, mostLines: 2 }]
      : []),
    { path: 'method', label: 'Payment method', value: method, mostLines: 3 },
    { path: 'pan', label: 'Card number', value: pan, mostLines: 2 },
    { path: 'cardHolder', label: 'Card holder', value: cardHolder, mostLines: 8 },
    { path: 'authCode', label: 'Authorisation code', value: authCode, mostLines: 2 },
  ]
}

/** Everything that is printed and was not written here, by the name that a refusal gives it. */
const textsOf = (data: InvoiceData) => ({
  ...data.payment,
  ...(isInvoice(data) ? { details: data.details, ...data.discount } : {}),
  company: [...companyLines(data.issuer), contactLine(data.issuer), data.issuer.company.vatNumber].join(' '),
})

/** Made by the page for visitors: what it is not stands first, so that nobody takes it for an invoice of ours. */
const setRecordNote = (page: Page, { company }: Issuer, from: number): number => {
  const is = `This is not an invoice of ${company.legalName}.`
  const why = 'It was made from what was typed in, which nobody has checked, and carries no invoice number.'
  const y = setText({ ...page, as: 'P' }, is, { ...FULL, y: from }, { face: 'strong', size: 11 })
  return setText({ ...page, as: 'P' }, why, { ...FULL, y: y + 2 }, QUIET)
}

const setHead = (page: Page, data: InvoiceData): number => {
  const y = setTitle(page, data.issuer, isInvoice(data) ? 'Invoice' : 'Payment record')
  if (!isInvoice(data)) return setRecordNote(page, data.issuer, y + 8)
  const numbered = `Number ${data.number}, issued ${data.issued}`
  return setText({ ...page, as: 'P' }, numbered, { ...FULL, y: y + 4 }, { size: 11 })
}

const sumsOf = (data: InvoiceData) =>
  isInvoice(data)
    ? {
        discount: data.discount,
        net: { label: 'Net', sum: data.net },
        vat: { label: vatLabelOf(data.vatRate, data.supply), sum: data.vat },
      }
    : undefined

const settable = (name: string): string =>
  whyNotSettable(name) === undefined
    ? name
    : 'As on the card; written in letters that this document cannot show'

/** The bank's spelling of a name is no reason to refuse a customer the invoice of what they paid. */
const printed = (data: InvoiceData): InvoiceData =>
  isInvoice(data)
    ? {
        ...data,
        payment: { ...data.payment, cardHolder: settable(data.payment.cardHolder) },
        ...(data.customer ? { customer: printedCustomer(data.customer) } : {}),
      }
    : data

const footOf = ({ issuer, kind }: InvoiceData, title: string): string =>
  kind === 'invoice'
    ? `${issuer.name}, ${title}`
    : `${title}, made from what was typed in at ${issuer.name}; not an invoice`

/** Since the tax is kept there is more to say, and for longer. */
const isKept = (data: InvoiceData): boolean => isInvoice(data) && data.supply !== undefined

const layOut = (data: InvoiceData, title: string, density: Density) => {
  const { issuer, made } = data
  const facts = { title, author: issuer.company.legalName, made, isKept: isKept(data) }
  const { doc, root } = newDocument(facts)
  const page = { doc, parent: root, density }
  let y = setHead(page, data) + density.between
  if (isInvoice(data)) y = setParties(page, issuer, data.customer, y) + density.between
  const table = doc.struct('Table')
  root.add(table)
  rule(doc, y)
  const inTable = { ...page, parent: table }
  y = setFacts(inTable, rowsOf(data), y)
  y = setSums(inTable, sumsOf(data), { label: 'Total', sum: data.payment.total }, y)
  if (isInvoice(data)) {
    y = setOtherSums(inTable, data, 'Charged', y)
    y = setNotes(page, notesOf(data), y)
  } else {
    const heading = 'Company whose page made this record'
    y = setParty(page, heading, [...companyLines(issuer), contactLine(issuer)], y + 30)
  }
  return { doc, y }
}

/**
 * Throws TextRefused for a text that does not fit, or that has a character no font here can draw. One that says what it
 * was taxed by is PDF/A-3 as well.
 */
export const invoicePdf = (asked: InvoiceData): Promise<Buffer> => {
  const data = printed(asked)
  refuseUnsettable(textsOf(data))
  const title = isInvoice(data) ? `Invoice ${data.number}` : 'Payment record'
  const densities = isKept(data) ? DENSITIES : ([ROOMY] as const)
  const { doc, y } = onOnePage(densities, (density) => layOut(data, title, density))
  if (y > END) throw new TextRefused('description', TOO_LONG)
  return finish(doc, footOf(data, title))
}
