/** Money is whole minor units (cents, pence) everywhere but on the wire, where `total` has two decimals. */
export const CURRENCIES = {
  EUR: { code: 'EUR', symbol: '€' },
  GBP: { code: 'GBP', symbol: '£' },
} as const

export type CurrencyCode = keyof typeof CURRENCIES
export type Currency = (typeof CURRENCIES)[CurrencyCode]

/** As headings and labels call amounts. */
export const CURRENCY_NAMES: Readonly<Record<CurrencyCode, string>> = { EUR: 'Euros', GBP: 'Pounds' }

export const CURRENCY_CODES = Object.keys(CURRENCIES) as [CurrencyCode, ...CurrencyCode[]]

/** What the header selector and the calculator start at (spec §4). */
export const FIRST_CURRENCY: CurrencyCode = 'EUR'

/** 4517 → '45.17'. By text, so that no floating point takes part. */
export const formatMinor = (minor: number): string => {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** 4517, 'GBP' → '£45.17'. */
export const formatMoney = (minor: number, currency: CurrencyCode): string =>
  `${minor < 0 ? '-' : ''}${CURRENCIES[currency].symbol}${formatMinor(Math.abs(minor))}`

/** 450, 'GBP' → '−£4.50', with the sign for minus: what is taken off a price. */
export const formatDiscount = (minor: number, currency: CurrencyCode): string =>
  `−${formatMoney(minor, currency)}`

/** 4517 → 45.17, the number the wire carries; exact, because the decimal text of the number is exact. */
export const toMajor = (minor: number): number => Number(formatMinor(minor))

/** 45.17 → 4517; undefined when the number has more than two decimals, is negative, or is not finite. */
export const toMinor = (major: number): number | undefined => {
  const minor = Math.round(major * 100)
  return Number.isSafeInteger(minor) && minor >= 0 && toMajor(minor) === major ? minor : undefined
}

/** Commas between thousands and a point before the decimals; a comma before them; and thousands by points with it. */
const AMOUNTS = [
  { shape: /^\d{1,3}(,\d{3}){1,2}(\.\d{1,2})?$/, thousands: ',' },
  { shape: /^\d{1,9}([.,]\d{1,2})?$/, thousands: '' },
  { shape: /^\d{1,3}(\.\d{3}){1,2},\d{1,2}$/, thousands: '.' },
]

const AROUND_AMOUNTS = new RegExp(
  `[\\s${CURRENCY_CODES.map((code) => CURRENCIES[code].symbol).join('')}]`,
  'g',
)

/**
 * An amount as people type it, in minor units: '1,250.50', '€ 1250.5' and '1.250,50' → 125050. Undefined for what is none,
 * and for what could be read in two ways.
 */
export const readAmount = (typed: string): number | undefined => {
  const plain = typed.replace(AROUND_AMOUNTS, '')
  const read = AMOUNTS.find(({ shape }) => shape.test(plain))
  return read && toMinor(Number(plain.replaceAll(read.thousands, '').replace(',', '.')))
}
