import { countryInText } from './countries.ts'
import { withoutGroups } from './pasted.ts'
import { taxPlaceOf } from './vat.ts'
import { isEuCountry, type RatedCountry } from './vat-rates.ts'

/**
 * What follows the prefix, in the lengths that the European Commission's VIES takes. Digits are not summed up: some countries
 * have changed how, and a real business must not be refused. Whether there is such a number, VIES tells.
 */
const FORMS: Readonly<Record<Exclude<RatedCountry, 'GB'>, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[0-9A-Z]\d{7}[0-9A-Z]$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[0-9A-Z+*]\d{5}[A-W][A-I]?$/,
  IT: /^\d{11}$/,
  LT: /^\d{9}(\d{3})?$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
}

/** More than anyone types with spaces in between. */
export const VAT_NUMBER_LENGTH = 30

/** In characters, as people count them. */
export const COMPANY_LENGTH = 200
export const COMPANY_ADDRESS_LENGTH = 300
const ADDRESS_LINES = 6

export const VAT_MESSAGES = {
  country: 'Choose your country',
  countryRefused: (country: string) => `We do not sell to ${countryInText(country)}`,
  numberOutside: 'Only customers in the EU can give a VAT number. Leave it empty',
  numberForm: (country: string) =>
    `This is not a VAT number of ${countryInText(country)}. Check it for a typing mistake`,
  numberOfOther: (other: string, country: string) =>
    `This is a VAT number of ${countryInText(other)}, and the country you chose is ${countryInText(country)}`,
  company: 'Enter the name of the business. The invoice must show it',
  companyLong: `Shorten the name to ${COMPANY_LENGTH} characters`,
  address: 'Enter the address of the business. The invoice must show it',
  addressLong: `Shorten the address to ${COMPANY_ADDRESS_LENGTH} characters in ${ADDRESS_LINES} lines`,
  numberUnknown: 'The EU’s register (VIES) does not list this number as valid. Check it, or leave it empty',
} as const

/** What a number begins with: the country's code, but for Greece. */
const prefixOf = (country: string): string => (country === 'GR' ? 'EL' : country)

const formOf = (country: string): RegExp => FORMS[country as keyof typeof FORMS]

/** Whether businesses of a country give their number, so that they account for the tax themselves. */
export const takesVatNumber = (country: string): boolean => isEuCountry(taxPlaceOf(country))

/** In the two parts that VIES is asked by: 'EL' and '123456789'. */
export type VatNumber = { prefix: string; rest: string }

/** The other country that a number names and fits. Most numbers have digits where another's prefix would be. */
const otherOf = (text: string, country: string): string | undefined =>
  Object.keys(FORMS).find(
    (other) =>
      other !== country &&
      text.startsWith(prefixOf(other)) &&
      formOf(other).test(text.slice(prefixOf(other).length)),
  )

/** Greece's country code in the place of its prefix, and a Belgian number of before 2005, which has got a 0 in front. */
const asRegistered = (text: string, place: string): string =>
  text
    .replace(/^GR/, 'EL')
    .replace(
      place === 'BE' ? /^(BE)?(\d{9})$/ : /^(BE)(\d{9})$/,
      (_, prefix = '', digits) => `${prefix}0${digits}`,
    )

/** Reads what a business customer of a country has typed, with or without its prefix. */
export const readVatNumber = (typed: string, country: string): VatNumber | { fault: string } => {
  const place = taxPlaceOf(country)
  if (!isEuCountry(place)) return { fault: VAT_MESSAGES.numberOutside }
  if (typed.length > VAT_NUMBER_LENGTH) return { fault: VAT_MESSAGES.numberForm(country) }
  const text = asRegistered(withoutGroups(typed).toUpperCase().replace(/[./]/g, ''), place)
  const prefix = prefixOf(place)
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text
  if (rest !== text && formOf(place).test(rest)) return { prefix, rest }
  const other = otherOf(text, place)
  if (other) return { fault: VAT_MESSAGES.numberOfOther(other, country) }
  return formOf(place).test(text) ? { prefix, rest: text } : { fault: VAT_MESSAGES.numberForm(country) }
}

/** Full name and address of a business (Directive 2006/112/EC art. 226(5)), the address a line each. */
export type Company = { name: string; address: readonly string[] }

/** Lines without what is empty or no text. */
export const addressLines = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim())
    .filter(Boolean)

const saysSomething = (text: string) => /[\p{L}\p{N}]/u.test(text)
const lengthOf = (text: string) => [...text].length

const nameFault = (name: string) => {
  if (!saysSomething(name)) return VAT_MESSAGES.company
  return lengthOf(name) > COMPANY_LENGTH ? VAT_MESSAGES.companyLong : undefined
}

const addressFault = (lines: readonly string[]) => {
  if (!saysSomething(lines.join())) return VAT_MESSAGES.address
  const isLong = lengthOf(lines.join('\n')) > COMPANY_ADDRESS_LENGTH || lines.length > ADDRESS_LINES
  return isLong ? VAT_MESSAGES.addressLong : undefined
}

export type CompanyFault = { path: 'company' | 'companyAddress'; message: string }

/** Reads what was typed of the business that gives a VAT number. The faults are by the fields' names. */
export const readCompany = (
  company: unknown,
  companyAddress: unknown,
): Company | { faults: CompanyFault[] } => {
  const name = addressLines(typeof company === 'string' ? company : '').join(' ')
  const address = addressLines(typeof companyAddress === 'string' ? companyAddress : '')
  const faultAt = (path: CompanyFault['path'], message: string | undefined) =>
    message === undefined ? [] : [{ path, message }]
  const faults = [...faultAt('company', nameFault(name)), ...faultAt('companyAddress', addressFault(address))]
  return faults.length > 0 ? { faults } : { name, address }
}
