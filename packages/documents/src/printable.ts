import anyAscii from 'any-ascii'
import { missingIn } from './faces.ts'
import type { Customer } from './tax-document.ts'
import { whyNotSettable } from './text-refused.ts'

const CONTROLS = /[\p{Cc}\p{Cs}]+/gu
/** Signs without a shape of their own, which may turn a line round. */
const SHAPELESS = /\p{Cf}+/gu
/** Beyond three, marks on one letter run into other lines. */
const MARKS_BEYOND = /(\p{M}{3})\p{M}+/gu

const inKnownLetters = (character: string): string =>
  missingIn('text', character) === undefined ? character : anyAscii(character)

/**
 * A name or an address as it can be set: letters that no font here has are written in Latin ones. Undefined where nothing
 * is left to be set.
 */
export const printable = (text: string): string | undefined => {
  const seen = text.replace(SHAPELESS, '').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim()
  if (whyNotSettable(seen) === undefined) return seen || undefined
  const known = [...seen.normalize('NFC').replace(MARKS_BEYOND, '$1')].map(inKnownLetters).join('').trim()
  return known && whyNotSettable(known) === undefined ? known : undefined
}

/** A name in letters that cannot be set, and nothing is left of: it stands in the account all the same. */
const NAME_AS_IN_ACCOUNT = 'As in the account; written in letters that this document cannot show'

/** What a profile holds is no reason to refuse its owner a document. */
export const printedCustomer = ({ name, address, vatNumber }: Customer): Customer => ({
  name: printable(name) ?? NAME_AS_IN_ACCOUNT,
  address: address.map(printable).filter((line) => line !== undefined),
  ...(vatNumber ? { vatNumber } : {}),
})
