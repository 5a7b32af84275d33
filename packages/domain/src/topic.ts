import { maskEmail, maskName } from './masked.ts'

/** So much of a message is looked at, and so much of it shown. */
const LOOKED_AT = 600
const SHOWN = 140

const GREETING =
  /^(?:hello|hi|hey|dear|greetings|good (?:morning|afternoon|evening|day))(?:[ ,][^\n.!?]{0,40})?[,.!–-]?$/iu
const EMAIL = /[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]{1,255}/gu
const LINK = /https?:\/\/\S+/giu
/** Of telephones, cards, accounts and addresses: five digits and more, however they are set apart. */
const DIGITS = /(?:\+|\b)\d(?:[ ().:/-]{0,2}\d){4,}\b/gu
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){8,30}\b/gu
const IPV6 = /\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}/giu
/** A key, a hash, a number of the shop's. */
const LONG_WORD = /[^\s…]{25,}/gu

const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Each part of a name, wherever it stands as a word. */
const withoutNames = (text: string, name: string): string => {
  const parts = name.split(/\s+/).filter((part) => part.length > 1)
  if (parts.length === 0) return text
  const any = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${parts.map(escaped).join('|')})(?![\p{L}\p{N}])`,
    'giu',
  )
  return text.replaceAll(any, (part) => maskName(part))
}

/**
 * What a message is about, for a list: its first sentence after a greeting. Names and addresses of its writer are
 * masked as lists mask them, since nobody records who reads a list.
 */
export const topicOf = (text: string, name: string): string => {
  const lines = text
    .slice(0, LOOKED_AT)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
  const line = lines.find((one) => !GREETING.test(one)) ?? lines[0] ?? ''
  const sentence = /^.*?[.!?…](?=\s|$)/u.exec(line)?.[0] ?? line
  const masked = withoutNames(
    sentence
      .replaceAll(EMAIL, (email) => maskEmail(email))
      .replaceAll(LINK, '…')
      .replaceAll(IBAN, '…')
      .replaceAll(IPV6, '…')
      .replaceAll(DIGITS, '…')
      .replaceAll(LONG_WORD, '…'),
    name,
  )
  return masked.length > SHOWN ? `${masked.slice(0, SHOWN - 1).trimEnd()}…` : masked
}
