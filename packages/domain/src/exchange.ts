import { CURRENCIES, type CurrencyCode, formatMoney } from './money.ts'

/** Rates are whole numbers: millionths of a unit of the one currency for one unit of the other. */
export const RATE_SCALE = 1_000_000

const MOST_DECIMALS = 6

/** Blik settles in złoty only (product.md, Buying), and takes at most 10,000 of them at once (gate.md §5.3). */
export const BLIK_CURRENCY = 'PLN'
export const BLIK_MOST_MINOR = 1_000_000

/** What is charged: a price's currency, or the one that a method settles in. */
export type ChargedCurrency = CurrencyCode | typeof BLIK_CURRENCY

/** 1234 of one currency at a rate, in minor units of the other, half up. Both have two decimals. */
export const convertMinor = (minor: number, rateMicro: number): number => {
  const scale = BigInt(RATE_SCALE)
  return Number((BigInt(minor) * BigInt(rateMicro) + scale / 2n) / scale)
}

/**
 * The other way round: minor units of the one currency for which so many of it are worth one unit of the other, half up.
 * 1000 at 1.25 is 800.
 */
export const convertBack = (minor: number, rateMicro: number): number => {
  const rate = BigInt(rateMicro)
  const sign = minor < 0 ? -1n : 1n
  return Number((sign * (2n * sign * BigInt(minor) * BigInt(RATE_SCALE) + rate)) / (2n * rate))
}

/** A rate as people write it ('4.2512'); undefined for anything that is not one, or not a likely one. */
export const parseRate = (text: string): number | undefined => {
  const match = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  const rateMicro = Number(whole) * RATE_SCALE + Number(decimals.padEnd(MOST_DECIMALS, '0'))
  return rateMicro > 0 ? rateMicro : undefined
}

/** 4251200 → '4.2512', with at least two decimals. */
export const formatRate = (rateMicro: number): string => {
  const decimals = String(rateMicro % RATE_SCALE).padStart(MOST_DECIMALS, '0')
  return `${Math.floor(rateMicro / RATE_SCALE)}.${decimals.slice(0, 2)}${decimals.slice(2).replace(/0{1,4}$/, '')}`
}

/** Whether a rate is more than a tenth away from the last one: then it may be a slip of the hand. */
export const isFarFrom = (rateMicro: number, lastMicro: number): boolean =>
  Math.abs(rateMicro - lastMicro) * 10 > lastMicro

/** What came may be in any currency of ISO 4217, with as many decimals as that has: JPY none, KWD three. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** 4517 → '45.17', with the decimals of its currency. By text, so that no floating point takes part. */
export const formatMinorOf = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(minor)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The same as the number that the wire carries, and back. */
export const chargedToMajor = (minor: number, currency: string): number =>
  Number(formatMinorOf(minor, currency))
export const chargedToMinor = (major: number, currency: string): number =>
  Math.round(major * 10 ** decimalsOf(currency))

const hasSymbol = (currency: string): currency is CurrencyCode => Object.hasOwn(CURRENCIES, currency)

/** What a method charges, or what came: '192.03 PLN'. */
export const formatCharged = (minor: number, currency: string): string =>
  hasSymbol(currency) ? formatMoney(minor, currency) : `${formatMinorOf(minor, currency)} ${currency}`
