import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font, type GlyphRun } from 'fontkit'

const FILES = {
  text: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  heading: '@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf',
} as const

export type Face = keyof typeof FILES

/** About 2 MB; labels, prices and the seller's own lines are a few hundred. */
const MOST_WORDS = 1_000

/** A run of its own of the same letters: pdfkit scales the positions of the one that it is given. */
const copyOf = (run: GlyphRun): GlyphRun =>
  Object.assign(Object.create(Object.getPrototypeOf(run)), run, {
    positions: run.positions.map((position) => ({ ...position })),
  })

/** Joining and spacing the letters of a word takes two fifths of a receipt, whose words are mostly those of the last. */
const rememberWords = (font: Font): Font => {
  const words = new Map<string, GlyphRun>()
  const layOut = font.layout.bind(font)
  const layout: Font['layout'] = (word, ...how) => {
    if (how.some((choice) => choice !== undefined)) return layOut(word, ...how)
    const run = words.get(word) ?? layOut(word)
    if (words.size >= MOST_WORDS) words.clear()
    words.set(word, run)
    return copyOf(run)
  }
  return Object.assign(font, { layout })
}

const load = (face: Face): Font =>
  rememberWords(create(readFileSync(fileURLToPath(import.meta.resolve(FILES[face])))) as Font)

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
