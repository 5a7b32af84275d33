import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { COMMON_LETTERS } from './common-letters.ts'
import { commonGlyphsOf, type SharedFace, shareFace } from './embedded-face.ts'
import { newFaceFiles } from './face-files.ts'
import { SCRIPT_FILES, type ScriptFace, scriptFacesFor } from './script-faces.ts'
import { newLayout } from './words.ts'

const FILES = {
  text: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  heading: '@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf',
} as const

export type Face = keyof typeof FILES
export type AnyFace = Face | ScriptFace

const isFace = (face: AnyFace): face is Face => face in FILES
const fileNameOf = (face: AnyFace): string => (isFace(face) ? FILES[face] : SCRIPT_FILES[face])

type Loaded = SharedFace & { font: Font; characters: ReadonlySet<number> }

const load = (face: AnyFace): Loaded => {
  const font = create(readFileSync(fileURLToPath(import.meta.resolve(fileNameOf(face))))) as Font
  const letters = isFace(face) ? COMMON_LETTERS[face] : []
  const layOut = newLayout(font, letters)
  const widthOfNone = (font.getGlyph(0).advanceWidth * 1000) / font.unitsPerEm
  const common = commonGlyphsOf(widthOfNone, letters.map(layOut))
  return {
    font,
    characters: new Set(font.characterSet.filter((character) => font.hasGlyphForCodePoint(character))),
    layOut,
    common,
    fileOf: newFaceFiles(),
  }
}

/** Parsed once: what a font says of joining and spacing its letters takes far longer to read than to use. */
const loaded = new Map<AnyFace, Loaded>()

const loadedFace = (face: AnyFace): Loaded => {
  const known = loaded.get(face) ?? load(face)
  loaded.set(face, known)
  return known
}

/** What pdfkit has and its types do not tell. */
type WithFont = { _font: unknown; _registeredFonts: Record<string, unknown> }

/** Opens a face in a document, where it is not open yet; the font in use is this one then. */
const openFace = (doc: PDFKit.PDFDocument, face: AnyFace): void => {
  const inner = doc as unknown as WithFont
  if (face in inner._registeredFonts) return
  const shared = loadedFace(face)
  // A parsed font is taken as well as a file; the types know only files.
  doc.registerFont(face, shared.font as never).font(face)
  shareFace(inner._font, shared)
}

/** Opens the faces that every document has. */
export const openFaces = (doc: PDFKit.PDFDocument): void => {
  for (const face of Object.keys(FILES) as Face[]) openFace(doc, face)
}

export const useFace = (doc: PDFKit.PDFDocument, face: AnyFace, size: number): PDFKit.PDFDocument => {
  openFace(doc, face)
  return doc.font(face, size)
}

/** Joins letters or keeps them apart, and is drawn by no font. */
const JOINERS = /[\u200C\u200D]/g

const has = (face: AnyFace, letters: string): boolean =>
  missingIn(face, letters.replace(JOINERS, '')) === undefined

/** Who draws a letter with its marks: the face that was asked for, or one of the letter's script. Undefined: none here. */
export const faceFor = (face: Face, letters: string): AnyFace | undefined =>
  has(face, letters) ? face : scriptFacesFor(letters).find((other) => has(other, letters))

/** The first character that the face cannot draw. */
export const missingIn = (face: AnyFace, text: string): string | undefined => {
  const { characters } = loadedFace(face)
  for (const character of text) if (!characters.has(character.codePointAt(0) ?? 0)) return character
  return undefined
}

/** The first character that no face here can draw beside `face`. */
export const undrawable = (face: Face, text: string): string | undefined => {
  const first = missingIn(face, text)
  if (first === undefined) return undefined
  for (const character of text.replace(JOINERS, ''))
    if (faceFor(face, character) === undefined) return character
  return undefined
}

/** The serif lacks Greek and Cyrillic, which a reseller's name may have. */
export const headingFaceFor = (text: string): Face =>
  missingIn('heading', text) === undefined ? 'heading' : 'strong'
