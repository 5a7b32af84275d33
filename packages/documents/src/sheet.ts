/** The parts that an invoice and a credit note are set from. */
import { headingFaceFor } from './faces.ts'
import {
  A4,
  CONTENT_WIDTH,
  type Doc,
  INK,
  linesOf,
  MARGIN,
  type Part,
  rule,
  type Style,
  setText,
} from './page.ts'
import type { Customer, Issuer, TaxFacts } from './tax-document.ts'
import { TextRefused } from './text-refused.ts'

export const TOO_LONG = 'This text is too long for the document'

const LABEL_WIDTH = 138
const SUM_LABEL_WIDTH = 320
const VALUE = { x: MARGIN.side + LABEL_WIDTH, width: CONTENT_WIDTH - LABEL_WIDTH } as const
export const FULL = { x: MARGIN.side, width: CONTENT_WIDTH } as const
const BETWEEN_COLUMNS = 24
/** The seller's column: as wide as the longest of its usual lines. */
const SELLER_WIDTH = 238
/**
 * How much is left free: above and below a line of the table, below the shop's name, between the parts; how large the table
 * is set, and the customer beside the seller.
 */
export type Density = {
  padding: number
  belowName: number
  between: number
  size: number
  customerSize: number
}

/** Half the width is little for a line. */
const PARTY_SIZE = 9

/** For what says nothing of its customer. */
export const ROOMY: Density = { padding: 8, belowName: 34, between: 24, size: 10, customerSize: 10 }

const DENSE = { padding: 5, belowName: 14, between: 16, size: 10 }
const CRAMPED = { padding: 2, belowName: 6, between: 8, size: 8 }

/** Names and addresses are as long as they are, and the page is one: what does not fit is tried in the next of these. */
export const DENSITIES: readonly [Density, ...Density[]] = [
  { ...DENSE, customerSize: PARTY_SIZE },
  { ...DENSE, customerSize: 8 },
  { ...DENSE, customerSize: 7 },
  { ...CRAMPED, customerSize: 7 },
  { ...CRAMPED, customerSize: 6 },
  { ...CRAMPED, customerSize: 5 },
]

/** Where the text of a page has to end. */
export const END = A4.height - MARGIN.bottom
export const QUIET: Style = { colour: INK.quiet }

export type Page = { doc: Doc; parent: Part; density: Density }

export type Row = { path: string; label: string; value: string; mostLines: number }

/** Label and value of one line, as the header and the cell of a table's row; answers where the line ends. */
const setRow = (
  { doc, parent, density: { size } }: Page,
  y: number,
  label: string,
  value: string,
  style: Style = {},
): number => {
  const row = doc.struct('TR')
  parent.add(row)
  const { align: _, ...labelStyle } = style
  // What stands at the right leaves room.
  const labelAt = { x: FULL.x, y, width: style.align === 'right' ? SUM_LABEL_WIDTH : LABEL_WIDTH - 12 }
  setText({ doc, parent: row, as: 'TH' }, label, labelAt, { size, ...QUIET, ...labelStyle })
  return setText({ doc, parent: row, as: 'TD' }, value, { ...VALUE, y }, { size, face: 'strong', ...style })
}

/** Throws TextRefused for a value that runs over more lines than it may. */
export const setFacts = (page: Page, rows: readonly Row[], from: number): number => {
  let y = from
  const { padding } = page.density
  for (const { path, label, value, mostLines } of rows) {
    if (linesOf(page.doc, value, VALUE.width, { face: 'strong' }) > mostLines)
      throw new TextRefused(path, TOO_LONG)
    y = setRow(page, y + padding, label, value) + padding - 2
    rule(page.doc, y)
  }
  return y
}

export const setSum = (page: Page, y: number, label: string, sum: string, style: Style = {}): number => {
  if (linesOf(page.doc, sum, VALUE.width, { face: 'strong', ...style }) > 1)
    throw new TextRefused('total', TOO_LONG)
  return setRow(page, y, label, sum, { ...style, align: 'right' as const, ...(style.size ? {} : QUIET) })
}

export type Sums = {
  /** What was taken off the price, where something was. */
  discount?: { price: string; label: string; sum: string } | undefined
  net: { label: string; sum: string }
  vat: { label: string; sum: string }
}

const setDiscount = (page: Page, { discount }: Sums, from: number): number => {
  if (!discount) return from
  const { padding } = page.density
  let y = setSum(page, from, 'Price', discount.price) + 3
  y = setSum(page, y, discount.label, discount.sum) + padding
  rule(page.doc, y)
  return y + padding
}

/** Without `sums` there is only a total. */
export const setSums = (
  page: Page,
  sums: Sums | undefined,
  total: { label: string; sum: string },
  from: number,
): number => {
  const { padding } = page.density
  let y = from + padding + 2
  if (sums) {
    y = setDiscount(page, sums, y)
    y = setSum(page, y, sums.net.label, sums.net.sum) + 3
    y = setSum(page, y, sums.vat.label, sums.vat.sum) + padding
    rule(page.doc, y)
    y += padding
  }
  return setSum(page, y, total.label, total.sum, { face: 'strong', size: 15, colour: INK.text })
}

/** The same in the currency that was charged, and in pounds. */
export const setOtherSums = (
  page: Page,
  { charged, sterling }: TaxFacts,
  chargedLabel: string,
  from: number,
): number => {
  const lines = [
    ...(charged ? [[chargedLabel, charged.sum] as const] : []),
    ...(sterling
      ? ([
          ['Net in pounds', sterling.net],
          ['VAT in pounds', sterling.vat],
          ['Total in pounds', sterling.total],
        ] as const)
      : []),
  ]
  if (lines.length === 0) return from
  const { padding } = page.density
  rule(page.doc, from + padding)
  let y = from + 2 * padding
  for (const [label, sum] of lines) y = setSum(page, y, label, sum) + 1
  return y
}

export const setNotes = (page: Page, notes: readonly string[], from: number): number => {
  let y = from + (notes.length > 0 ? page.density.padding : 0)
  for (const note of notes)
    y = setText({ ...page, as: 'P' }, note, { ...FULL, y: y + 1 }, { ...QUIET, size: page.density.size })
  return y
}

export const companyLines = ({ name, company }: Issuer): string[] => [
  company.legalName === name ? name : `${company.legalName}, trading as ${name}`,
  company.registeredOffice,
  `Registered in England and Wales, number ${company.number}`,
]

export const contactLine = ({ company }: Issuer) => [company.email, company.phone].filter(Boolean).join(', ')

/** Who sells, with the numbers that the tax authorities know them by. */
const sellerLines = (issuer: Issuer): string[] => [
  ...companyLines(issuer),
  `VAT number ${issuer.company.vatNumber}`,
  ...(issuer.ossNumber ? [`One Stop Shop number ${issuer.ossNumber}`] : []),
  contactLine(issuer),
]

const customerLines = ({ name, address, vatNumber }: Customer): string[] => [
  name,
  ...address,
  ...(vatNumber ? [`VAT number ${vatNumber}`] : []),
]

type Column = { x: number; width: number; style?: Style }

export const setParty = (
  page: Page,
  heading: string,
  lines: readonly string[],
  from: number,
  { x, width, style = QUIET }: Column = FULL,
): number => {
  let y = setText({ ...page, as: 'H2' }, heading, { x, width, y: from }, { face: 'strong', size: 10 })
  for (const line of lines) y = setText({ ...page, as: 'P' }, line, { x, width, y: y + 1 }, style)
  return y
}

/** The customer beside the seller; without one the seller has the whole width. Of a self-billed invoice we are the customer. */
export const setParties = (
  page: Page,
  issuer: Issuer,
  customer: Customer | undefined,
  from: number,
  [ours, theirs]: readonly [string, string] = ['Seller', 'Customer'],
): number => {
  if (!customer) return setParty(page, ours, sellerLines(issuer), from)
  const left = { x: FULL.x, width: SELLER_WIDTH, style: { ...QUIET, size: PARTY_SIZE } }
  const before = SELLER_WIDTH + BETWEEN_COLUMNS
  const style = { ...QUIET, size: page.density.customerSize }
  const right = { x: FULL.x + before, width: CONTENT_WIDTH - before, style }
  const seller = setParty(page, ours, sellerLines(issuer), from, left)
  return Math.max(seller, setParty(page, theirs, customerLines(customer), from, right))
}

/** The shop's name, what the document is, and its number. */
export const setTitle = (page: Page, { name }: Issuer, title: string): number => {
  const nameStyle = { face: headingFaceFor(name), size: 15 } as const
  const y = setText({ ...page, as: 'P' }, name, { ...FULL, y: MARGIN.top }, nameStyle)
  return setText(
    { ...page, as: 'H1' },
    title,
    { ...FULL, y: y + page.density.belowName },
    { face: 'heading', size: 30 },
  )
}

type Laid = { doc: Doc; y: number }

/** Lays out a document in the first of the densities with which it stays on one page, or else in the last. */
export const onOnePage = (
  [first, ...others]: readonly [Density, ...Density[]],
  layOut: (density: Density) => Laid,
): Laid => {
  let laid = layOut(first)
  for (const density of others) {
    if (laid.y <= END && laid.doc.bufferedPageRange().count === 1) return laid
    laid = layOut(density)
  }
  return laid
}
