import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'

const FILES = {
  text: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  heading: '@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf',
} as const

export type Face = keyof typeof FILES

const load = (face: Face): Font =>
  create(readFileSync(fileURLToPath(import.meta.resolve(FILES[face])))) as Font

/** Parsed once: what a font says of joining and spacing its letters takes far longer to read than to use. */
const loaded = new Map<Face, Font>()

const fontOf = (face: Face): Font => {
  const font = loaded.get(face) ?? load(face)
  loaded.set(face, font)
  return font
}

/**
 * The fonts for one document. Cutting a font down for the last one has left letters in its memory without what they
 * stand for (an ű brings a u along), and the text could not be read back; so that memory is emptied.
 */
export const facesForDocument = (): [Face, Font][] =>
  (Object.keys(FILES) as Face[]).map((face) => [face, Object.assign(fontOf(face), { _glyphs: {} })])

/** The first character that the face cannot draw. */
export const missingIn = (face: Face, text: string): string | undefined => {
  const font = fontOf(face)
  return [...text].find((character) => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
}

/** The serif lacks Greek and Cyrillic, which a reseller's name may have. */
export const headingFaceFor = (text: string): Face =>
  missingIn('heading', text) === undefined ? 'heading' : 'strong'
