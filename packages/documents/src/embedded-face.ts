import type { FaceFile, newFaceFiles } from './face-files.ts'
import type { Run } from './words.ts'

type Ref = { end: (chunk: Uint8Array | string) => void }

type Subset = { includeGlyph: (id: number) => number; encode: () => Uint8Array }

/** What pdfkit has and its types do not tell. */
type EmbeddedFont = {
  document: { ref: (data?: object) => Ref }
  subset: Subset
  /** What each glyph stands for, and its width, by its number in this document. */
  unicode: (readonly number[])[]
  widths: number[]
  layout: (text: string) => Run
  toUnicodeCmap: () => Ref
  embed: () => void
}

/** The glyphs that every document has, by the numbers that pages name them by. */
export type CommonGlyphs = {
  numbers: ReadonlyMap<number, number>
  unicode: readonly (readonly number[])[]
  widths: readonly number[]
}

/** What all documents share of a face. */
export type SharedFace = {
  common: CommonGlyphs
  layOut: (text: string) => Run
  fileOf: ReturnType<typeof newFaceFiles>
}

/** Numbers the glyphs of these words as pdfkit would; the first is always that of what a font does not have. */
export const commonGlyphsOf = (widthOfNone: number, words: readonly Run[]): CommonGlyphs => {
  const numbers = new Map([[0, 0]])
  const unicode: (readonly number[])[] = [[0]]
  const widths = [widthOfNone]
  for (const { glyphs, positions } of words)
    for (const [i, { id, codePoints }] of glyphs.entries()) {
      if (numbers.has(id)) continue
      numbers.set(id, numbers.size)
      unicode.push(codePoints)
      widths.push(positions[i]?.advanceWidth ?? 0)
    }
  return { numbers, unicode, widths }
}

/** A cut of the common glyphs and those that a document adds; `cut` is an empty one. */
const cutFrom = ({ numbers }: CommonGlyphs, cut: Subset) => {
  const added = new Map<number, number>()
  return {
    added,
    includeGlyph: (id: number): number => {
      const number = numbers.get(id) ?? added.get(id) ?? numbers.size + added.size
      if (number === numbers.size + added.size) added.set(id, number)
      return number
    },
    encode: () => {
      for (const id of [...numbers.keys(), ...added.keys()]) cut.includeGlyph(id)
      return cut.encode()
    },
  }
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

/**
 * Has pdfkit write all but what is deflated already, which it takes as it is. It would add a CIDSet in PDF/UA, taking that for
 * PDF/A-1: nothing asks for one, and one that is there has to name all glyphs.
 */
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

/** Gives a face that a document has just opened what others have found out, and the glyphs that all of them have. */
export const shareFace = (opened: unknown, { common, layOut, fileOf }: SharedFace): void => {
  const font = opened as EmbeddedFont
  const cut = cutFrom(common, font.subset)
  font.subset = cut
  font.unicode = [...common.unicode]
  font.widths = [...common.widths]
  font.layout = layOut
  const embed = font.embed.bind(font)
  font.embed = () => {
    const meanings = font.unicode.slice(common.numbers.size)
    const key = `${[...cut.added.keys()]};${meanings.join(';')}`
    const file = fileOf(key, () => ({ shapes: cut.encode(), table: tableOf(font) }))
    embedFile(font, file, embed)
  }
}
