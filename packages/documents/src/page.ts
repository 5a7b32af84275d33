import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { declareAccessible, escapeMetadata } from './archive.ts'
import { type AnyFace, type Face, openFaces, useFace } from './faces.ts'
import { brokenInLines, isCommon, type Line } from './mixed-text.ts'

export type Doc = PDFKit.PDFDocument
export type Part = ReturnType<Doc['struct']>

/** A4 in points, and what is left free at its edges. */
export const A4 = { width: 595.28, height: 841.89 } as const
export const MARGIN = { side: 68, top: 64, bottom: 72 } as const
export const CONTENT_WIDTH = A4.width - 2 * MARGIN.side

/** Black and two greys: a document looks the same whatever the shop's colours are when it is fetched. */
export const INK = { text: '#1A1A1A', quiet: '#555555', line: '#C4C4C4' } as const

export type Style = {
  face?: Face
  size?: number
  colour?: string
  align?: 'left' | 'right'
  lineGap?: number
}

type Facts = {
  title: string
  author: string
  made: Date
  /** Whether it is to be kept for years, and so is PDF/A-3 as well, level A. */
  isKept?: boolean
}

/** An empty tagged document, by the rules of PDF/UA: language, title, embedded fonts. The same facts give the same bytes. */
export const newDocument = ({ title, author, made, isKept = false }: Facts): { doc: Doc; root: Part } => {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { left: MARGIN.side, right: MARGIN.side, top: MARGIN.top, bottom: MARGIN.bottom },
    pdfVersion: '1.7',
    subset: (isKept ? 'PDF/A-3a' : 'PDF/UA') as never,
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    bufferPages: true,
    // None of the fonts that are not embedded.
    font: '',
    info: { Title: title, Author: author, Creator: author, CreationDate: made, ModDate: made },
  })
  escapeMetadata(doc)
  if (isKept) declareAccessible(doc, made)
  openFaces(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  return { doc, root }
}

export const useStyle = (doc: Doc, { face = 'text', size = 10, colour = INK.text }: Style): Doc =>
  doc.font(face, size).fillColor(colour)

type Place = { x: number; y: number; width: number }

const layoutOf = ({ align = 'left', lineGap = 2.5 }: Style, width: number) => ({ width, align, lineGap })

type Layout = ReturnType<typeof layoutOf>

/** What the text of a customer takes, whose letters are not those of every document. */
const mixedLines = (doc: Doc, text: string, width: number, { face = 'text', size = 10 }: Style): Line[] =>
  brokenInLines(text, face, width, (piece: string, by: AnyFace) =>
    useFace(doc, by, size).widthOfString(piece),
  )

export const heightOf = (doc: Doc, text: string, width: number, style: Style = {}): number => {
  if (isCommon(text)) return useStyle(doc, style).heightOfString(text, layoutOf(style, width))
  const { lineGap } = layoutOf(style, width)
  const { length } = mixedLines(doc, text, width, style)
  return length * (useStyle(doc, style).currentLineHeight(true) + lineGap)
}

/** What ends a line wherever it stands. */
const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]/

/** Whether a text takes one line, in the style that is in use; an empty one takes none. */
const isOneLine = (doc: Doc, text: string, width: number): boolean =>
  text !== '' && !LINE_ENDS.test(text) && doc.widthOfString(text) <= width

/** How many lines a text takes. */
export const linesOf = (doc: Doc, text: string, width: number, style: Style = {}): number =>
  isCommon(text) && isOneLine(useStyle(doc, style), text, width)
    ? 1
    : Math.round(heightOf(doc, text, width, style) / heightOf(doc, 'x', width, style))

/** Most texts take one line: to look for where they could be broken would take longer than to draw them. */
const drawLine = (doc: Doc, text: string, { x, y, width }: Place, { align, lineGap }: Layout): void => {
  const before = align === 'right' ? width - doc.widthOfString(text.trimEnd()) : 0
  doc.text(text, x + before, y, { lineBreak: false })
  doc.x = x
  doc.y = y + doc.currentLineHeight(true) + lineGap
}

/**
 * Each line says as a whole what was typed: fonts put letters together from others, change them beside each other, and are
 * written from the right, so that what is drawn does not tell.
 */
const drawMixed = (doc: Doc, text: string, { x, y, width }: Place, style: Style): void => {
  const { align, lineGap } = layoutOf(style, width)
  const { size = 10 } = style
  const lines = mixedLines(doc, text, width, style)
  const height = useStyle(doc, style).currentLineHeight(true)
  const { ascender } = (doc as unknown as { _font: { ascender: number } })._font
  let top = y
  for (const line of lines) {
    if (top + height > doc.page.maxY()) {
      doc.continueOnNewPage()
      top = doc.page.margins.top
    }
    doc.markContent('Span', { actual: line.spoken } as never)
    let left = x + (align === 'right' ? width - line.width : 0)
    for (const { text: piece, face } of line.pieces) {
      useFace(doc, face, size).text(piece, left, top + (ascender * size) / 1000, {
        lineBreak: false,
        baseline: 'alphabetic',
      })
      left += doc.widthOfString(piece)
    }
    doc.endMarkedContent()
    top += height + lineGap
  }
  doc.x = x
  doc.y = top
}

const drawText = (doc: Doc, text: string, at: Place, style: Style): void => {
  if (!isCommon(text)) {
    drawMixed(doc, text, at, style)
    return
  }
  const layout = layoutOf(style, at.width)
  const isOnPage = at.y + useStyle(doc, style).currentLineHeight(true) <= doc.page.maxY()
  if (isOnPage && isOneLine(doc, text, at.width)) drawLine(doc, text, at, layout)
  else doc.text(text, at.x, at.y, layout)
}

/** Sets a text as one part of the document's structure; answers where it ends. */
export const setText = (
  { doc, parent, as }: { doc: Doc; parent: Part; as: string },
  text: string,
  at: Place,
  style: Style = {},
): number => {
  const draw = () => drawText(doc, text, at, style)
  const options = as === 'TH' ? { scope: 'Row' } : {}
  parent.add(doc.struct(as, options as object, [draw]))
  return doc.y
}

/** What is drawn here means nothing to someone who listens. */
export const setArtifact = (doc: Doc, type: 'Layout' | 'Pagination', draw: () => void): void => {
  doc.markContent('Artifact', { type })
  draw()
  doc.endMarkedContent()
}

export const rule = (doc: Doc, y: number, x: number = MARGIN.side, width: number = CONTENT_WIDTH): void =>
  setArtifact(doc, 'Layout', () => {
    doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.5)
      .strokeColor(INK.line)
      .stroke()
  })

const FOOT: Style = { size: 8, colour: INK.quiet }

/** A line at the foot of every page, below the text's own margin. */
const setFoot = (doc: Doc, text: string): void => {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Within the margin the text would begin another page.
    doc.page.margins.bottom = 0
    const y = A4.height - 48
    const pages = `Page ${page - start + 1} of ${count}`
    rule(doc, y - 10)
    setArtifact(doc, 'Pagination', () => {
      drawText(doc, text, { x: MARGIN.side, y, width: CONTENT_WIDTH - 80 }, FOOT)
      drawText(doc, pages, { x: MARGIN.side, y, width: CONTENT_WIDTH }, { ...FOOT, align: 'right' })
    })
  }
}

/** Ends the document; `foot` stands below each of its pages. */
export const finish = (doc: Doc, foot: string): Promise<Buffer> => {
  setFoot(doc, foot)
  doc.end()
  return buffer(doc)
}
