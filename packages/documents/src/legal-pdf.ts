import type { Brand } from '@hedgerow/brand/brand'
import { headingFaceFor, missingIn } from './faces.ts'
import { fillIn } from './fill-in.ts'
import { type Block, type Run, readMarkdown } from './markdown.ts'
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
  useStyle,
} from './page.ts'
import { refuseUnsettable, TextRefused } from './text-refused.ts'

const BODY: Style = { size: 10, lineGap: 3 }
const HEADINGS = {
  1: { size: 28, before: 0 },
  2: { size: 15, before: 20 },
  3: { size: 12, before: 12 },
} as const
const GAP = 8
const INDENT = 16
const END = A4.height - MARGIN.bottom

type Page = { doc: Doc; root: Part }

const plain = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

/** The upper bound: strong letters are the wider ones. */
const heightOfRuns = (doc: Doc, runs: readonly Run[], width: number): number =>
  heightOf(doc, plain(runs), width, { ...BODY, face: 'strong' })

/** Where the next block begins: here, or on a new page when it would not be whole here. No block is torn. */
const placeFor = (doc: Doc, y: number, height: number): number => {
  if (y + height <= END) return y
  doc.addPage()
  return MARGIN.top
}

/** The height of what may not be parted from a heading above it. */
const firstHeight = (doc: Doc, block: Block | undefined): number => {
  if (block?.kind === 'paragraph') return heightOfRuns(doc, block.runs, CONTENT_WIDTH)
  if (block?.kind === 'list') return heightOfRuns(doc, block.items[0] ?? [], CONTENT_WIDTH - INDENT)
  return 0
}

type At = { x: number; y: number; width: number }

const setRuns = (doc: Doc, parent: Part, as: string, runs: readonly Run[], { x, y, width }: At): number => {
  const draw = () => {
    for (const [i, { text, isStrong }] of runs.entries()) {
      const continued = i < runs.length - 1
      useStyle(doc, { ...BODY, face: isStrong ? 'strong' : 'text' })
      const options = { width, lineGap: BODY.lineGap ?? 0, continued }
      if (i === 0) doc.text(text, x, y, options)
      else doc.text(text, options)
    }
  }
  parent.add(doc.struct(as, {}, [draw]))
  return doc.y
}

/** A heading stands on the page of what follows it, or of its first item. */
const setHeading = (
  { doc, root }: Page,
  { level, text }: Block & { kind: 'heading' },
  from: number,
  next: Block | undefined,
): number => {
  const { size, before } = HEADINGS[level]
  const style = { face: headingFaceFor(text), size } as const
  const height = heightOf(doc, text, CONTENT_WIDTH, style)
  const y = placeFor(doc, from === MARGIN.top ? from : from + before, height + GAP + firstHeight(doc, next))
  if (level === 2) doc.outline.addItem(text)
  const at = { x: MARGIN.side, y, width: CONTENT_WIDTH }
  return setText({ doc, parent: root, as: `H${level}` }, text, at, style) + GAP / 2
}

const setParagraph = ({ doc, root }: Page, runs: readonly Run[], from: number): number => {
  const y = placeFor(doc, from, heightOfRuns(doc, runs, CONTENT_WIDTH))
  return setRuns(doc, root, 'P', runs, { x: MARGIN.side, y, width: CONTENT_WIDTH }) + GAP
}

const setNote = ({ doc, root }: Page, runs: readonly Run[], from: number): number => {
  const y = placeFor(doc, from, heightOfRuns(doc, runs, CONTENT_WIDTH) + 4 * GAP)
  rule(doc, y + GAP)
  const end = setRuns(doc, root, 'P', runs, { x: MARGIN.side, y: y + 2 * GAP, width: CONTENT_WIDTH })
  rule(doc, end + GAP)
  return end + 3 * GAP
}

const setList = ({ doc, root }: Page, items: readonly Run[][], from: number): number => {
  const list = doc.struct('L')
  root.add(list)
  const width = CONTENT_WIDTH - INDENT
  let y = from
  for (const runs of items) {
    y = placeFor(doc, y, heightOfRuns(doc, runs, width))
    const item = doc.struct('LI')
    list.add(item)
    setText({ doc, parent: item, as: 'Lbl' }, '•', { x: MARGIN.side, y, width: INDENT }, BODY)
    y = setRuns(doc, item, 'LBody', runs, { x: MARGIN.side + INDENT, y, width }) + GAP / 2
  }
  return y + GAP / 2
}

const setBlock = (page: Page, block: Block, y: number, next: Block | undefined): number => {
  if (block.kind === 'heading') return setHeading(page, block, y, next)
  if (block.kind === 'list') return setList(page, block.items, y)
  return block.kind === 'note' ? setNote(page, block.runs, y) : setParagraph(page, block.runs, y)
}

/** A legal text, from its Markdown source with the brand's details put in. Throws TextRefused as an invoice does. */
export const legalPdf = (source: string, brand: Brand, made: Date = new Date()): Promise<Buffer> => {
  const text = fillIn(source, brand)
  const flat = text.replace(/\s+/g, ' ')
  refuseUnsettable({ text: flat })
  // Its lines mix two faces, and know no third.
  const missing = missingIn('text', flat)
  if (missing) throw new TextRefused('text', `A legal text cannot show the character ${missing}`)
  const blocks = readMarkdown(text)
  const title = blocks.find((block) => block.kind === 'heading')?.text ?? brand.name
  const { doc, root } = newDocument({
    title: `${title} – ${brand.name}`,
    author: brand.company.legalName,
    made,
  })
  const page = { doc, root }
  const nameStyle = { face: headingFaceFor(brand.name), size: 15, colour: INK.text } as const
  const nameAt = { x: MARGIN.side, y: MARGIN.top, width: CONTENT_WIDTH }
  let y = setText({ doc, parent: root, as: 'P' }, brand.name, nameAt, nameStyle) + 30
  for (const [i, block] of blocks.entries()) y = setBlock(page, block, y, blocks[i + 1])
  return finish(doc, `${brand.name}, ${title}`)
}
