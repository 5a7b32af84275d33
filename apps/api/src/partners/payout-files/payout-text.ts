import anyAscii from 'any-ascii'

const NOT_SEPA = /[^A-Za-z0-9/?:().,'+ -]/g
const NOT_BACS = /[^A-Za-z0-9.&/ -]/g

/** One line of what a character set has, spaces single, without slashes or anything but letters and digits where it begins. */
const plain = (text: string, notAllowed: RegExp): string => {
  const allowed = anyAscii(text.normalize('NFC'))
    .replace(/[^ -~]/g, ' ')
    .replace(notAllowed, ' ')
  const first = allowed.search(/[A-Za-z0-9(]/)
  if (first === -1 || !/[A-Za-z0-9]/.test(allowed)) return ''
  return allowed.slice(first).replace(/ +/g, ' ').replace(/\/+/g, '/')
}

const withoutEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && ' /'.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/**
 * A text in the characters of SEPA payments, at most so long. Other scripts become Latin letters. It neither begins nor
 * ends with '/' and holds no '//'. Empty where no name is left.
 */
export const sepaText = (text: string, longest: number): string =>
  withoutEnd(plain(text, NOT_SEPA).slice(0, longest))

/** The same in the characters of Bacs. Apostrophes are dropped, not blanks: a bank compares "OBrien" with "O'Brien" kindly. */
export const bacsText = (text: string, longest: number): string =>
  withoutEnd(plain(anyAscii(text.normalize('NFC')).replaceAll("'", ''), NOT_BACS).slice(0, longest))
