import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { COMMON_LETTERS } from './common-letters.ts'
import { commonGlyphsOf, type SharedFace, shareFace } from './embedded-face.ts'
import { newFaceFiles } from './face-files.ts'
import { newLayout } from './words.ts'

const FILES = {
  text: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  heading: '@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf',
} as const

export type Face = keyof typeof FILES

type Loaded = SharedFace & { font: Font; characters: ReadonlySet<number> }

const load = (face: Face): Loaded => {
  const font = create(readFileSync(fileURLToPath(import.meta.resolve(FILES[face])))) as Font
  const layOut = newLayout(font, COMMON_LETTERS[face])
  const widthOfNone = (font.getGlyph(0).advanceWidth * 1000) / font.unitsPerEm
  const common = commonGlyphsOf(widthOfNone, COMMON_LETTERS[face].map(layOut))
  return {
    font,
    characters: new Set(font.characterSet.filter((character) => font.hasGlyphForCodePoint(character))),
    layOut,
    common,
    fileOf: newFaceFiles(),
  }
}

/** Parsed once: what a font says of joining and spacing its letters takes far longer to read than to use. */
const loaded = new Map<Face, Loaded>()

const loadedFace = (face: Face): Loaded => {
  const known = loaded.get(face) ?? load(face)
  loaded.set(face, known)
  return known
}

/** What pdfkit has and its types do not tell. */
type WithFont = { _font: unknown }

/** Opens all faces in a document that has none yet. */
export const openFaces = (doc: PDFKit.PDFDocument): void => {
  for (const face of Object.keys(FILES) as Face[]) {
    const shared = loadedFace(face)
    // A parsed font is taken as well as a file; the types know only files.
    doc.registerFont(face, shared.font as never).font(face)
    shareFace((doc as unknown as WithFont)._font, shared)
  }
}

/** The first character that the face cannot draw. */
export const missingIn = (face: Face, text: string): string | undefined => {
  const { characters } = loadedFace(face)
  for (const character of text) if (!characters.has(character.codePointAt(0) ?? 0)) return character
  return undefined
}

/** The serif lacks Greek and Cyrillic, which a reseller's name may have. */
export const headingFaceFor = (text: string): Face =>
  missingIn('heading', text) === undefined ? 'heading' : 'strong'
