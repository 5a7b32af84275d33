import { passesLuhn } from '@hedgerow/domain/cards'

/** Digits that no masked number shows, and that nothing else in a shop holds by chance. */
const MARK = '493271508317'

/** A card number whose check digit is right, another one for each ordinal below a thousand. */
export const markedCard = (ordinal: number): string => {
  const digits = MARK + String(ordinal).padStart(3, '0')
  const check = [...'0123456789'].find((digit) => passesLuhn(digits + digit))
  return digits + check
}

type Reading = readonly [written: RegExp, digitsOf: (found: string) => string]

/** The ways in which digits may have been written down. */
const READINGS: readonly Reading[] = [
  // As they are, in whatever groups, and two bytes to a character.
  [/\d(?:(?:[\s\-./_+\0]|%20){0,2}\d){9,}/g, (found) => found.replace(/%20|\D/g, '')],
  [/(?:%3\d){10,}/g, (found) => found.replaceAll('%3', '')],
  [/(?:\\u003\d){10,}/g, (found) => found.replaceAll('\\u003', '')],
  [/(?:3\d){10,}/g, (found) => found.replace(/3(\d)/g, '$1')],
  // As the log writes a buffer.
  [
    /(?:4[89]|5[0-7])(?:,\s?(?:4[89]|5[0-7])){9,}/g,
    (found) => String.fromCharCode(...found.split(',').map(Number)),
  ],
]

/** What a text looks like within Base64, wherever it begins there. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((before) =>
    Buffer.from('\0'.repeat(before) + text)
      .toString('base64')
      .slice(before && before + 1, Math.floor(((before + text.length) * 4) / 3)),
  )

/** What betrays a card number: its beginning, longer than a masked one shows, and all that a masked one hides. */
const tracesOf = (pan: string): string[] => (pan.startsWith(MARK) ? [MARK, pan.slice(6)] : [pan.slice(0, 15)])

const PIECE_BYTES = 64 * 1024 * 1024
const OVERLAP_BYTES = 1024

/** As text, in pieces that are no longer than a text may be. */
const piecesOf = (where: string | Buffer): string[] => {
  if (typeof where === 'string') return [where]
  const pieces = Array.from({ length: Math.ceil(where.length / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES)
  return pieces.map((from) => where.toString('latin1', from, from + PIECE_BYTES + OVERLAP_BYTES))
}

/** Finds card numbers in bytes or text, however they are written; returns each with a little of what is around it. */
export const findCards = (where: string | Buffer, pans: readonly string[]): string[] =>
  piecesOf(where).flatMap((piece) => findIn(piece, pans))

const findIn = (text: string, pans: readonly string[]): string[] => {
  const traces = [...new Set(pans.flatMap(tracesOf))]
  const found: string[] = []
  const tell = (at: number) => found.push(JSON.stringify(text.slice(Math.max(0, at - 120), at + 120)))
  for (const [written, digitsOf] of READINGS) {
    for (const match of text.matchAll(written)) {
      const digits = digitsOf(match[0])
      if (traces.some((trace) => digits.includes(trace))) tell(match.index)
    }
  }
  for (const needle of traces.flatMap(inBase64)) {
    const at = text.indexOf(needle)
    if (at >= 0) tell(at)
  }
  return found
}

const CODE_BY_NAME = /(?:cvv2?|cvc2?|csc|security.?code)["'\\\s:=]{1,8}\d{3,4}(?!\d)/gi

/** What could hold a code by chance: ids, times, keys, parts of a number, processes. */
const IDS =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\\\\?x?[0-9a-f]{32,}|\d{4}-\d\d-\d\d[T ][\d:.]+|[A-Za-z0-9+/_-]{40,}=*|\d{5,}|\d*\.\d+|\[\d+\]|"pid":\d+/g

/** Finds a security code in a text: by its name, and by itself. */
export const findCode = (text: string, code: string): string[] => {
  const bare = new RegExp(`.{0,80}\\b${code}\\b.{0,80}`, 'g')
  return [...findNamedCodes(text), ...(text.replace(IDS, '').match(bare) ?? [])]
}

/** In bytes of whatever kind only a code that is named is one. */
export const findNamedCodes = (where: string | Buffer): string[] =>
  piecesOf(where).flatMap((piece) => piece.match(CODE_BY_NAME) ?? [])
