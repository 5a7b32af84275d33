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
import { whyNotSettable } from './text-refused.ts'

export type Fact = readonly [label: string, value: string]

/** A heading with what stands below it, in this order. A table's widths are parts of the whole, and add up to 1. */
export type EvidenceSection = {
  heading: string
  /** Begins a page of its own. */
  isOnNewPage?: boolean
  text?: readonly string[]
  facts?: readonly Fact[]
  table?: {
    heads: readonly string[]
    widths: readonly number[]
    rows: readonly (readonly string[])[]
    /** What is said where there are no rows. */
    none?: string
  }
}

/** What a shop holds of a purchase, for the bank that disputes it. All texts are printed as they are. */
export type EvidenceData = {
  issuer: Pick<Brand, 'name' | 'company'>
  made: Date
  title: string
  /** What it is about, in a sentence or two. */
  summary: readonly string[]
  sections: readonly EvidenceSection[]
}

const END = A4.height - MARGIN.bottom
const LABEL_WIDTH = 138
const GAP = 6
const CELL_GAP = 10
const QUIET: Style = { colour: INK.quiet }
const HEADING: Style = { face: 'heading', size: 15 }
const CELL: Style = { size: 9 }
const HEAD: Style = { size: 9, face: 'strong' }

type Page = { doc: Doc; root: Part }

/** Evidence is never refused for a letter: what no font here can draw, and what would not be seen, is a question mark. */
const settable = (text: string): string => {
  const line = text.normalize('NFC').replace(/\s+/g, ' ')
  if (whyNotSettable(line) === undefined) return line
  const plain = [...line].map((one) => (whyNotSettable(one) === undefined ? one : '?')).join('')
  return whyNotSettable(plain) === undefined ? plain : plain.replace(/\p{M}/gu, '')
}

/** Where the next thing begins: here, or on a new page when it would not be whole here. */
const placeFor = (doc: Doc, y: number, height: number): number => {
  if (y + height <= END || y === MARGIN.top) return y
  doc.addPage()
  return MARGIN.top
}

/** Nothing is higher than a page: what someone wrote at length goes on below, in pieces of so many letters. */
const LONGEST_PIECE = 600

const piecesOf = (text: string): string[] =>
  settable(text).match(new RegExp(`.{1,${LONGEST_PIECE}}(?:\\s|$)|.{1,${LONGEST_PIECE}}`, 'gu')) ?? ['']

const setParagraph = ({ doc, root }: Page, text: string, from: number, style: Style = {}): number => {
  let y = from
  for (const piece of piecesOf(text)) {
    y = placeFor(doc, y, heightOf(doc, piece, CONTENT_WIDTH, style))
    y =
      setText({ doc, parent: root, as: 'P' }, piece, { x: MARGIN.side, y, width: CONTENT_WIDTH }, style) + GAP
  }
  return y
}

type Cell = { text: string; x: number; width: number; as: 'TH' | 'TD'; style: Style }

/** One row, on one page; answers where it ends. */
const setRow = (doc: Doc, table: Part, cells: readonly Cell[], from: number): number => {
  const height = Math.max(...cells.map(({ text, width, style }) => heightOf(doc, text, width, style)))
  const y = placeFor(doc, from, height + GAP)
  const row = doc.struct('TR')
  table.add(row)
  for (const { text, x, width, as, style } of cells)
    setText({ doc, parent: row, as }, text, { x, y, width }, style)
  rule(doc, y + height + GAP / 2)
  return y + height + GAP
}

const setFacts = ({ doc, root }: Page, facts: readonly Fact[], from: number): number => {
  const table = doc.struct('Table')
  root.add(table)
  let y = from
  for (const [label, value] of facts) {
    for (const [i, piece] of piecesOf(value).entries()) {
      const name: Cell = {
        text: i === 0 ? settable(label) : '',
        x: MARGIN.side,
        width: LABEL_WIDTH - CELL_GAP,
        as: 'TH',
        style: QUIET,
      }
      const width = CONTENT_WIDTH - LABEL_WIDTH
      y = setRow(
        doc,
        table,
        [name, { text: piece, x: MARGIN.side + LABEL_WIDTH, width, as: 'TD', style: {} }],
        y,
      )
    }
  }
  return y + GAP
}

const HEADS_AND_A_ROW = 130

const setTable = (
  { doc, root }: Page,
  { heads, widths, rows }: NonNullable<EvidenceSection['table']>,
  from: number,
): number => {
  const table = doc.struct('Table')
  root.add(table)
  const cellsOf = (texts: readonly string[], as: Cell['as'], style: Style): Cell[] => {
    let x: number = MARGIN.side
    return texts.map((text, i) => {
      const width = CONTENT_WIDTH * (widths[i] ?? 0)
      const cell = { text, x, width: width - CELL_GAP, as, style }
      x += width
      return cell
    })
  }
  // The heads stand on the page of the first row.
  const start = placeFor(doc, from, HEADS_AND_A_ROW)
  let y = setRow(doc, table, cellsOf(heads.map(settable), 'TH', HEAD), start)
  for (const row of rows) {
    // Only the last column holds what someone wrote, which may be long.
    const last = piecesOf(row.at(-1) ?? '')
    for (const [i, piece] of last.entries())
      y = setRow(
        doc,
        table,
        cellsOf([...row.slice(0, -1).map((text) => (i === 0 ? settable(text) : '')), piece], 'TD', CELL),
        y,
      )
  }
  return y + GAP
}

/** So much of a section stands below its heading at least. */
const BEGINNING = 60

const setSection = (page: Page, section: EvidenceSection, from: number): number => {
  const { doc, root } = page
  const { heading, isOnNewPage, text = [], facts, table } = section
  const height = heightOf(doc, heading, CONTENT_WIDTH, HEADING)
  let y = placeFor(doc, from + 18, isOnNewPage ? END : height + BEGINNING)
  doc.outline.addItem(heading)
  const style = { ...HEADING, face: headingFaceFor(heading) }
  y =
    setText({ doc, parent: root, as: 'H2' }, heading, { x: MARGIN.side, y, width: CONTENT_WIDTH }, style) +
    GAP
  for (const paragraph of text) y = setParagraph(page, paragraph, y)
  if (facts && facts.length > 0) y = setFacts(page, facts, y + 2)
  if (table)
    y =
      table.rows.length > 0
        ? setTable(page, table, y + 2)
        : setParagraph(page, table.none ?? 'None.', y, QUIET)
  return y
}

/** An evidence pack, tagged and with an outline. The same data give the same bytes. */
export const evidencePdf = ({ issuer, made, title, summary, sections }: EvidenceData): Promise<Buffer> => {
  const { doc, root } = newDocument({ title: settable(title), author: issuer.company.legalName, made })
  const page = { doc, root }
  const at = (y: number) => ({ x: MARGIN.side, y, width: CONTENT_WIDTH })
  const nameStyle = { face: headingFaceFor(issuer.name), size: 15 } as const
  let y = setText({ doc, parent: root, as: 'P' }, issuer.name, at(MARGIN.top), nameStyle)
  y =
    setText({ doc, parent: root, as: 'H1' }, settable(title), at(y + 30), { face: 'heading', size: 28 }) + 10
  for (const paragraph of summary) y = setParagraph(page, paragraph, y, { size: 11 })
  for (const section of sections) y = setSection(page, section, y)
  return finish(doc, `${issuer.name}, ${settable(title)}`)
}
