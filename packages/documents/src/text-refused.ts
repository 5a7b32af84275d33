import { undrawable } from './faces.ts'

/** A text that cannot be set: `path` names it, and the message says why. Nothing is ever cut off, or drawn as a box. */
export class TextRefused extends Error {
  override name = 'TextRefused'
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Marks pile up on one letter without end, and would run into other lines. */
const PILE_OF_MARKS = /\p{M}{4}/u
const INVISIBLE = /[\p{Cc}\p{Cs}]/u

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Why a text cannot be set; undefined when it can. */
export const whyNotSettable = (text: string): string | undefined => {
  const invisible = text.match(INVISIBLE)?.[0]
  if (invisible !== undefined)
    return `The document cannot show the invisible character ${codePoint(invisible)}`
  const missing = undrawable('text', text)
  if (missing !== undefined)
    return `The document cannot show the character ${missing} (${codePoint(missing)})`
  if (PILE_OF_MARKS.test(text)) return 'The document cannot show so many marks on one letter'
  return undefined
}

export const refuseUnsettable = (texts: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(texts)) {
    const reason = whyNotSettable(text)
    if (reason !== undefined) throw new TextRefused(path, reason)
  }
}
