import type { Font } from 'fontkit'

type Glyph = { id: number; codePoints: readonly number[]; advanceWidth: number }
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number; advanceWidth: number }

/** A word as it is laid out; lengths are in thousandths of its size. */
export type Run = {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly Position[]
  readonly advanceWidth: number
}

const runOf = (glyphs: readonly Glyph[], positions: readonly Position[]): Run => ({
  glyphs,
  positions,
  advanceWidth: positions.reduce((width, { xAdvance }) => width + xAdvance, 0),
})

/**
 * A letter that a font draws in two stands with the first, and the second for nothing: they stand for the letter and its mark,
 * as Unicode takes it apart, or another letter with that mark could not be read.
 */
const readable = (glyphs: readonly Glyph[]): readonly Glyph[] =>
  glyphs.map((glyph, i) => {
    let first = i
    while (first > 0 && glyphs[first]?.codePoints.length === 0) first--
    let end = first + 1
    while (glyphs[end]?.codePoints.length === 0) end++
    if (end - first < 2) return glyph
    const whole = String.fromCodePoint(...(glyphs[first]?.codePoints ?? []))
    const apart = [...whole.normalize('NFD')].map((one) => one.codePointAt(0) ?? 0)
    if (apart.length !== end - first) return glyph
    return {
      id: glyph.id,
      codePoints: apart.slice(i - first, i - first + 1),
      advanceWidth: glyph.advanceWidth,
    }
  })

/**
 * Fontkit remembers each glyph with the letters that it first stood for, and cutting a font down leaves some with none (an ű
 * brings a u along): the text could not be read back. So that memory is emptied, and a word is the same whatever came before.
 */
const layOutAfresh = (font: Font, word: string): Run => {
  const { glyphs, positions } = Object.assign(font, { _glyphs: {} }).layout(word)
  const scale = 1000 / font.unitsPerEm
  const read = readable(glyphs)
  const scaled = positions.map(({ xAdvance, yAdvance, xOffset, yOffset }, i) => ({
    xAdvance: xAdvance * scale,
    yAdvance: yAdvance * scale,
    xOffset: xOffset * scale,
    yOffset: yOffset * scale,
    advanceWidth: (glyphs[i]?.advanceWidth ?? 0) * scale,
  }))
  return runOf(read, scaled)
}

const isSame = (a: Position, b: Position): boolean =>
  a.xAdvance === b.xAdvance && a.xOffset === b.xOffset && a.yOffset === b.yOffset

/** How far it is from the first letter of a pair to the second; undefined where they do more than move together. */
const pairOf = (font: Font, first: Run, second: Run, pair: string): Position | undefined => {
  const { glyphs, positions } = layOutAfresh(font, pair)
  const [start, end] = positions
  const areBoth =
    glyphs.length === 2 && glyphs[0]?.id === first.glyphs[0]?.id && glyphs[1]?.id === second.glyphs[0]?.id
  const isEndAsAlone = end && second.positions[0] && isSame(end, second.positions[0])
  return areBoth && isEndAsAlone && !start?.xOffset && !start?.yOffset ? start : undefined
}

/**
 * Lays words out from what the font says of their pairs of letters, which is all that it says of `letters`: numbers and names
 * are new in every document, and pairs hardly ever. Answers undefined for any other word.
 */
const newPairing = (font: Font, letters: readonly string[]): ((word: string) => Run | undefined) => {
  const alone = new Map(letters.map((letter) => [letter, layOutAfresh(font, letter)]))
  const pairs = new Map<string, Position | undefined>()
  const knownPair = (first: Run, second: Run, pair: string): Position | undefined => {
    if (!pairs.has(pair)) pairs.set(pair, pairOf(font, first, second, pair))
    return pairs.get(pair)
  }
  return (word) => {
    const glyphs: Glyph[] = []
    const positions: Position[] = []
    for (let i = 0; i < word.length; i++) {
      const run = alone.get(word.charAt(i))
      const next = i + 1 < word.length ? alone.get(word.charAt(i + 1)) : undefined
      const position = next && run ? knownPair(run, next, word.slice(i, i + 2)) : run?.positions[0]
      const glyph = run?.glyphs[0]
      if (!glyph || !position || (i + 1 < word.length && !next)) return undefined
      glyphs.push(glyph)
      positions.push(position)
    }
    return runOf(glyphs, positions)
  }
}

/** Less than a megabyte a face; labels and the seller's own lines are about a hundred. */
const MOST_TEXTS = 500

/** Remembers what is found; all of it is forgotten when it is too much. */
const remembering = (find: (text: string) => Run): ((text: string) => Run) => {
  const known = new Map<string, Run>()
  return (text) => {
    const run = known.get(text)
    if (run) return run
    if (known.size >= MOST_TEXTS) known.clear()
    const found = find(text)
    known.set(text, found)
    return found
  }
}

const joined = (runs: readonly Run[]): Run =>
  runOf(
    runs.flatMap(({ glyphs }) => glyphs),
    runs.flatMap(({ positions }) => positions),
  )

/** Each word with the space behind it, as pdfkit divides a text. */
const wordsOf = (text: string): string[] => text.match(/[^ \t]*[ \t]|[^ \t]+/g) ?? []

/** Lays texts out: pdfkit asks for the same one several times in a document, and for most of them in every document. */
export const newLayout = (font: Font, letters: readonly string[]): ((text: string) => Run) => {
  const fromPairs = newPairing(font, letters)
  const afresh = remembering((word) => layOutAfresh(font, word))
  const wordOf = (word: string): Run => fromPairs(word) ?? afresh(word)
  return remembering((text) => joined(wordsOf(text).map(wordOf)))
}
