import type { Customer } from './tax-document.ts'
import { whyNotSettable } from './text-refused.ts'

const CONTROLS = /[\p{Cc}\p{Cs}]+/gu
/** Signs without a shape of their own, which may turn a line round; but for those by which letters join or do not. */
const SHAPELESS = /(?:(?![\u200C\u200D])\p{Cf})+/gu
/** Beyond three, marks on one letter run into other lines. */
const MARKS_BEYOND = /(\p{M}{3})\p{M}+/gu
const LETTER = /[\p{L}\p{M}\p{N}]/u

/** What is no letter, such as an emoji, is left out where no font has it. */
const withoutSigns = (text: string): string =>
  [...text].filter((one) => LETTER.test(one) || whyNotSettable(one) === undefined).join('')

/** A name or an address as it was typed. Undefined where that cannot be set: it is never written in other letters. */
export const printable = (text: string): string | undefined => {
  const seen = text.replace(SHAPELESS, '').replace(CONTROLS, ' ')
  const shown = [seen, withoutSigns(seen.normalize('NFC').replace(MARKS_BEYOND, '$1'))]
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .find((one) => whyNotSettable(one) === undefined)
  return shown || undefined
}

/** A name in letters that cannot be set, and nothing is left of: it stands in the account all the same. */
const NAME_AS_IN_ACCOUNT = 'As in the account; written in letters that this document cannot show'

/** What a profile holds is no reason to refuse its owner a document. */
export const printedCustomer = ({ name, address, vatNumber }: Customer): Customer => ({
  name: printable(name) ?? NAME_AS_IN_ACCOUNT,
  address: address.map(printable).filter((line) => line !== undefined),
  ...(vatNumber ? { vatNumber } : {}),
})
