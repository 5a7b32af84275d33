import bidiFactory, { type Bidi } from 'bidi-js'
import { COMMON_LETTERS } from './common-letters.ts'
import { type AnyFace, type Face, faceFor } from './faces.ts'

/** What one font draws in one direction; in the order in which a line is seen. */
export type Piece = { text: string; face: AnyFace }

/** `spoken`: what the line says as a whole; undefined where it is read from the right, which readers make out by themselves. */
export type Line = { text: string; spoken: string | undefined; pieces: readonly Piece[]; width: number }

type Measure = (text: string, face: AnyFace) => number

/** Its types say `default`, and Node.js gives the function itself. */
const bidi = (bidiFactory as unknown as () => Bidi)()
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const lettersOf = (text: string): string[] => Array.from(letters.segment(text), ({ segment }) => segment)

const COMMON = new Set(COMMON_LETTERS.text.filter((letter) => letter.length === 1))

/** Whether a text is made of the letters that every document has: they mean what they look like, each for itself. */
export const isCommon = (text: string): boolean => {
  for (const character of text) if (!COMMON.has(character)) return false
  return true
}

/** Letters whose font turns them round by itself. */
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const DIGIT = /\p{Nd}/u

type Part = Piece & { level: number; isJoined: boolean }

/** Cut where font or direction change, in the order of reading. What does not join by itself is cut into its letters. */
const partsOf = (line: string, base: Face, isFromRight: boolean): Part[] => {
  const { levels } = bidi.getEmbeddingLevels(line, isFromRight ? 'rtl' : 'ltr')
  const parts: Part[] = []
  let at = 0
  for (const letter of lettersOf(line)) {
    const level = levels[at] ?? 0
    at += letter.length
    const isRightToLeft = level % 2 === 1
    const ownWay = FROM_THE_RIGHT.test(letter) && !DIGIT.test(letter)
    const isJoined = isRightToLeft === ownWay && !DIGIT.test(letter)
    const shown = (isRightToLeft && bidi.getMirroredCharacter(letter)) || letter
    const face = faceFor(base, shown) ?? base
    const last = parts.at(-1)
    if (last && isJoined && last.isJoined && last.face === face && last.level === level && letter !== ' ')
      last.text += shown
    else parts.push({ text: shown, face, level, isJoined: isJoined && letter !== ' ' })
  }
  return parts
}

/** UAX #9, L2: from the highest level down, what stands on it or above is turned round. */
const asSeen = (parts: readonly Part[]): Part[] => {
  const seen = [...parts]
  const highest = Math.max(0, ...parts.map(({ level }) => level))
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < seen.length; start++) {
      let end = start
      while ((seen[end]?.level ?? 0) >= level) end++
      if (end > start) seen.splice(start, end - start, ...seen.slice(start, end).toReversed())
      start = end
    }
  return seen
}

const lineOf = (text: string, base: Face, isFromRight: boolean, measure: Measure): Line => {
  const pieces = asSeen(partsOf(text.trimEnd(), base, isFromRight))
  const spoken = FROM_THE_RIGHT.test(text) ? undefined : text
  return {
    text,
    spoken,
    pieces,
    width: pieces.reduce((width, { text, face }) => width + measure(text, face), 0),
  }
}

/** The first letter that has a direction decides for all (UAX #9, P2). */
const startsAtRight = (text: string): boolean => FROM_THE_RIGHT.test(text.match(/\p{L}/u)?.[0] ?? '')

/** A text in lines that are not wider than they may be: broken between words, and within one that is wider than a line. */
export const brokenInLines = (text: string, base: Face, width: number, measure: Measure): Line[] => {
  const lines: Line[] = []
  for (const paragraph of text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)) {
    const isFromRight = startsAtRight(paragraph)
    const make = (line: string) => lineOf(line, base, isFromRight, measure)
    let line = make('')
    const end = () => {
      lines.push(line)
      line = make('')
    }
    for (const word of paragraph.match(/\S+\s*|\s+/g) ?? []) {
      const longer = make(line.text + word)
      if (longer.width <= width) {
        line = longer
        continue
      }
      if (line.text) end()
      line = make(word)
      if (line.width <= width) continue
      line = make('')
      for (const letter of lettersOf(word)) {
        const more = make(line.text + letter)
        if (more.width > width && line.text) end()
        line = more.width > width ? make(letter) : more
      }
    }
    end()
  }
  return lines
}
