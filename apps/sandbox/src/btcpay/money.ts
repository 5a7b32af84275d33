/** What one bitcoin is worth. The rates are invented, and never move. */
const RATES = new Map([
  ['GBP', 50_000],
  ['EUR', 58_000],
  ['USD', 65_000],
  ['PLN', 250_000],
  ['CHF', 55_000],
  ['SEK', 640_000],
  ['NOK', 650_000],
  ['DKK', 430_000],
  ['CZK', 1_400_000],
])
const SATOSHIS = 100_000_000

export const isCurrency = (code: string): boolean => RATES.has(code)
export const rateOf = (currency: string): number => RATES.get(currency) ?? 1

export const minorOf = (decimal: string | number): number => Math.round(Number(decimal) * 100)
/** As a decimal is printed, zeros at its end left out. */
export const decimalOf = (minor: number): string => String(minor / 100)

export const bitcoinOf = (minor: number, currency: string): string =>
  (Math.round((minor / 100 / rateOf(currency)) * SATOSHIS) / SATOSHIS).toFixed(8)
