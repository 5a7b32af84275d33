import type { FaceFile, newFaceFiles } from './face-files.ts'
import type { Run } from './words.ts'

type Ref = { end: (chunk: Uint8Array | string) => void }

/** What pdfkit has and its types do not tell. */
type EmbeddedFont = {
  document: { ref: (data?: object) => Ref }
  subset: { glyphs: number[]; includeGlyph: (id: number) => number; encode: () => Uint8Array }
  /** What each glyph stands for, and its width, by its number in this document. */
  unicode: (readonly number[])[]
  widths: number[]
  layoutCached: (word: string) => Run
  toUnicodeCmap: () => Ref
  embed: () => void
}

/** What all documents share of a face. */
export type SharedFace = {
  /** Those that every document has, in this order. */
  common: Run
  wordOf: (word: string) => Run
  fileOf: ReturnType<typeof newFaceFiles>
}

const DEFLATED = { Filter: 'FlateDecode' }

/** The table that pdfkit would write. */
const tableOf = (font: EmbeddedFont): string => {
  let table = ''
  const end: Ref['end'] = (chunk) => {
    table = `${chunk}`
  }
  font.toUnicodeCmap.call({ ...font, document: { ref: () => ({ end }) } })
  return table
}

/** Has pdfkit write all but what is deflated already; that it takes as it is. */
const embedFile = (font: EmbeddedFont, { shapes, length, table }: FaceFile, embed: () => void): void => {
  const { document } = font
  font.subset.encode = () => shapes
  font.document = { ref: (data = { ...DEFLATED, Length1: length }) => document.ref(data) }
  font.toUnicodeCmap = () => {
    const ref = document.ref({ ...DEFLATED })
    ref.end(table)
    return ref
  }
  embed()
}

/** Gives a face that a document has just opened what others have found out, and the letters that all of them have. */
export const shareFace = (opened: unknown, { common, wordOf, fileOf }: SharedFace): void => {
  const font = opened as EmbeddedFont
  font.layoutCached = wordOf
  for (const [i, { id, codePoints }] of common.glyphs.entries()) {
    const number = font.subset.includeGlyph(id)
    font.unicode[number] ??= codePoints
    font.widths[number] ??= common.positions[i]?.advanceWidth ?? 0
  }
  const embed = font.embed.bind(font)
  font.embed = () => {
    const { subset, unicode } = font
    const make = () => ({ shapes: subset.encode(), table: tableOf(font) })
    embedFile(font, fileOf(`${subset.glyphs};${unicode.join(';')}`, make), embed)
  }
}
