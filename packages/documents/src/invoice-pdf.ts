import type { Brand } from '@hedgerow/brand/brand'
import { headingFaceFor } from './faces.ts'
import {
  A4,
  CONTENT_WIDTH,
  type Doc,
  finish,
  heightOf,
  INK,
  MARGIN,
  newDocument,
  type Part,
  rule,
  type Style,
  setText,
} from './page.ts'
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

type Issuer = Pick<Brand, 'name' | 'company'>

/** An invoice of ours, with all that makes it one; or a record of what somebody typed, with nothing that does. */
export type InvoiceData = { issuer: Issuer; made: Date; payment: PaymentFacts } & (
  | {
      kind: 'invoice'
      number: string
      issued: string
      /** What was bought, in words. */
      details: string
      /** Left out where nothing was taken off the price. */
      discount?: { price: string; label: string; sum: string }
      net: string
      vat: string
      vatRate: number
    }
  | { kind: 'record' }
)

type Invoice = Extract<InvoiceData, { kind: 'invoice' }>

type Row = { path: string; label: string; value: string; mostLines: number }

const rowsOf = (data: InvoiceData): Row[] => {
  const { timestamp, description, method, pan, cardHolder, authCode } = data.payment
  return [
    { path: 'timestamp', label: 'Date of payment', value: timestamp, mostLines: 2 },
    { path: 'description', label: 'Description', value: description, mostLines: 8 },
    ...(data.kind === 'invoice'
      ? [{ path: 'details', label: 'Details', value: data.details, mostLines: 4 }]
      : []),
    { path: 'method', label: 'Payment method', value: method, mostLines: 3 },
    { path: 'pan', label: 'Card number', value: pan, mostLines: 2 },
    { path: 'cardHolder', label: 'Card holder', value: cardHolder, mostLines: 8 },
    { path: 'authCode', label: 'Authorisation code', value: authCode, mostLines: 2 },
  ]
}

const TOO_LONG = 'This text is too long for the document'

const LABEL_WIDTH = 138
const VALUE = { x: MARGIN.side + LABEL_WIDTH, width: CONTENT_WIDTH - LABEL_WIDTH } as const
const FULL = { x: MARGIN.side, width: CONTENT_WIDTH } as const
const PADDING = 8
/** Where the text of a page has to end. */
const END = A4.height - MARGIN.bottom
const QUIET: Style = { colour: INK.quiet }

type Page = { doc: Doc; parent: Part }

/** Label and value of one line, as the header and the cell of a table's row; answers where the line ends. */
const setRow = (
  { doc, parent }: Page,
  y: number,
  label: string,
  value: string,
  style: Style = {},
): number => {
  const row = doc.struct('TR')
  parent.add(row)
  const { align: _, ...labelStyle } = style
  const labelAt = { x: FULL.x, y, width: LABEL_WIDTH - 12 }
  setText({ doc, parent: row, as: 'TH' }, label, labelAt, { ...QUIET, ...labelStyle })
  return setText({ doc, parent: row, as: 'TD' }, value, { ...VALUE, y }, { face: 'strong', ...style })
}

const linesOf = (doc: Doc, text: string, style: Style): number =>
  Math.round(heightOf(doc, text, VALUE.width, style) / heightOf(doc, 'x', VALUE.width, style))

const setFacts = (page: Page, data: InvoiceData, from: number): number => {
  let y = from
  for (const { path, label, value, mostLines } of rowsOf(data)) {
    if (linesOf(page.doc, value, { face: 'strong' }) > mostLines) throw new TextRefused(path, TOO_LONG)
    y = setRow(page, y + PADDING, label, value) + PADDING - 2
    rule(page.doc, y)
  }
  return y
}

const setSum = (page: Page, y: number, label: string, sum: string, style: Style = {}): number => {
  if (linesOf(page.doc, sum, { face: 'strong', ...style }) > 1) throw new TextRefused('total', TOO_LONG)
  return setRow(page, y, label, sum, { ...style, align: 'right' as const, ...(style.size ? {} : QUIET) })
}

const companyLines = ({ name, company }: Issuer): string[] => [
  company.legalName === name ? name : `${company.legalName}, trading as ${name}`,
  company.registeredOffice,
  `Registered in England and Wales, number ${company.number}`,
]

const contactLine = ({ company }: Issuer) => `${company.email}, ${company.phone}`

/** Everything that is printed and was not written here, by the name that a refusal gives it. */
const textsOf = (data: InvoiceData) => ({
  ...data.payment,
  ...(data.kind === 'invoice' ? { details: data.details, ...data.discount } : {}),
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
  const { issuer } = data
  const nameStyle = { face: headingFaceFor(issuer.name), size: 15 } as const
  const title = data.kind === 'invoice' ? 'Invoice' : 'Payment record'
  let y = setText({ ...page, as: 'P' }, issuer.name, { ...FULL, y: MARGIN.top }, nameStyle)
  y = setText({ ...page, as: 'H1' }, title, { ...FULL, y: y + 34 }, { face: 'heading', size: 30 })
  if (data.kind === 'record') return setRecordNote(page, issuer, y + 8)
  const numbered = `Number ${data.number}, issued ${data.issued}`
  return setText({ ...page, as: 'P' }, numbered, { ...FULL, y: y + 4 }, { size: 11 })
}

const setCompany = (page: Page, data: InvoiceData, from: number): number => {
  const { issuer, kind } = data
  const heading = kind === 'invoice' ? 'Seller' : 'Company whose page made this record'
  const lines = [
    ...companyLines(issuer),
    ...(kind === 'invoice' ? [`VAT number ${issuer.company.vatNumber}`] : []),
    contactLine(issuer),
  ]
  let y = setText({ ...page, as: 'H2' }, heading, { ...FULL, y: from }, { face: 'strong', size: 10 })
  for (const line of lines) y = setText({ ...page, as: 'P' }, line, { ...FULL, y: y + 1 }, QUIET)
  return y
}

const setDiscount = (page: Page, { discount }: Invoice, from: number): number => {
  if (!discount) return from
  let y = setSum(page, from, 'Price', discount.price) + 3
  y = setSum(page, y, discount.label, discount.sum) + PADDING
  rule(page.doc, y)
  return y + PADDING
}

const setSums = (page: Page, data: InvoiceData, from: number): number => {
  let y = from + PADDING + 2
  if (data.kind === 'invoice') {
    y = setDiscount(page, data, y)
    y = setSum(page, y, 'Net', data.net) + 3
    y = setSum(page, y, `VAT ${data.vatRate}% included`, data.vat) + PADDING
    rule(page.doc, y)
    y += PADDING
  }
  return setSum(page, y, 'Total', data.payment.total, { face: 'strong', size: 15, colour: INK.text })
}

const settable = (name: string): string =>
  whyNotSettable(name) === undefined
    ? name
    : 'As on the card; written in letters that this document cannot show'

/** The bank's spelling of a name is no reason to refuse a customer the invoice of what they paid. */
const printed = (data: InvoiceData): InvoiceData =>
  data.kind === 'invoice'
    ? { ...data, payment: { ...data.payment, cardHolder: settable(data.payment.cardHolder) } }
    : data

const footOf = ({ issuer, kind }: InvoiceData, title: string): string =>
  kind === 'invoice'
    ? `${issuer.name}, ${title}`
    : `${title}, made from what was typed in at ${issuer.name}; not an invoice`

/** Throws TextRefused for a text that does not fit, or that has a character no font here can draw. */
export const invoicePdf = (asked: InvoiceData): Promise<Buffer> => {
  const data = printed(asked)
  refuseUnsettable(textsOf(data))
  const { issuer, made } = data
  const title = data.kind === 'invoice' ? `Invoice ${data.number}` : 'Payment record'
  const { doc, root } = newDocument({ title, author: issuer.company.legalName, made })
  const page = { doc, parent: root }
  let y = setHead(page, data) + 24
  if (data.kind === 'invoice') y = setCompany(page, data, y) + 24
  const table = doc.struct('Table')
  root.add(table)
  rule(doc, y)
  y = setFacts({ doc, parent: table }, data, y)
  y = setSums({ doc, parent: table }, data, y)
  if (data.kind === 'record') y = setCompany(page, data, y + 30)
  if (y > END) throw new TextRefused('description', TOO_LONG)
  return finish(doc, footOf(data, title))
}
