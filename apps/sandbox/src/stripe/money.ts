/** The account has one currency; sales in others are converted when they are booked. The rates are invented. */
export const ACCOUNT_CURRENCY = 'gbp'

/** What one unit is worth in the account's currency, and the least that can be charged, in minor units. */
const CURRENCIES: Readonly<Record<string, { rate: number; least: number }>> = {
  gbp: { rate: 1, least: 30 },
  eur: { rate: 0.86, least: 50 },
  usd: { rate: 0.79, least: 50 },
  pln: { rate: 0.2, least: 200 },
  chf: { rate: 0.9, least: 50 },
  sek: { rate: 0.074, least: 300 },
  nok: { rate: 0.073, least: 300 },
  dkk: { rate: 0.115, least: 250 },
  czk: { rate: 0.034, least: 1_500 },
}

export const isCurrency = (code: string): boolean => Object.hasOwn(CURRENCIES, code)
export const rateOf = (code: string): number => CURRENCIES[code]?.rate ?? 1
export const leastOf = (code: string): number => CURRENCIES[code]?.least ?? 0

export const inAccountCurrency = (amount: number, currency: string) => ({
  currency: ACCOUNT_CURRENCY,
  amount: Math.round(amount * rateOf(currency)),
})

const FEE_PER_MILLE = 15
const FOREIGN_FEE_PER_MILLE = 52
const FIXED_FEE = 20
export const DISPUTE_FEE = 2_000

/** In the account's currency. */
export const feeFor = (amount: number, currency: string): number => {
  const perMille = currency === ACCOUNT_CURRENCY ? FEE_PER_MILLE : FOREIGN_FEE_PER_MILLE
  return Math.round((inAccountCurrency(amount, currency).amount * perMille) / 1_000) + FIXED_FEE
}
