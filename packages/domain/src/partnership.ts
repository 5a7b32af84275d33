/** The levels of partnership (spec §9): from how many transactions, and what share of each a partner gets. */
export const PARTNER_LEVELS = [
  { level: 1, transactions: 0, percentage: 10 },
  { level: 2, transactions: 1, percentage: 15 },
  { level: 3, transactions: 5, percentage: 20 },
  { level: 4, transactions: 10, percentage: 25 },
  { level: 5, transactions: 25, percentage: 30 },
] as const

export type PartnerLevel = (typeof PARTNER_LEVELS)[number]

declare const SETTLED: unique symbol

/**
 * How many transactions their buyers can no longer take back. `settledTransactions` of the API alone makes one, so that no
 * level, and no discount or share with it, comes from a count that can go down.
 */
export type SettledTransactions = number & { readonly [SETTLED]: true }

/** From so many transactions on there is no higher level. */
export const HIGHEST_LEVEL_FROM = PARTNER_LEVELS[4].transactions

/** For how many days an earning is held, unless the shop sets it otherwise. */
export const HOLD_DAYS = 14

/**
 * What an order costs at least, before a promocode's discount, to count as a transaction, unless the shop sets it otherwise.
 * Nothing that the calculator sells costs less, so every payment counts.
 */
export const MINIMUM_SPEND_MINOR = 100

/** From how many units of a currency a withdrawal can be asked for (spec §9). */
export const MINIMUM_WITHDRAWAL = 250

/** The level that so many transactions have reached. */
export const levelFor = (transactions: SettledTransactions): PartnerLevel =>
  PARTNER_LEVELS.findLast((level) => transactions >= level.transactions) ?? PARTNER_LEVELS[0]

/** The level to come; undefined on the highest. */
export const levelAfter = (transactions: SettledTransactions): PartnerLevel | undefined =>
  PARTNER_LEVELS.find((level) => transactions < level.transactions)

/**
 * A share of an amount in whole minor units, rounded half up. The promocode's discount to the buyer is the same share of
 * the price (spec §9), and the partner's earning the same of what was paid.
 */
export const shareMinor = (amountMinor: number, percentage: number): number =>
  Math.floor((amountMinor * percentage + 50) / 100)

/** What a promocode of that percentage leaves to pay. Never negative: no share is more than the whole. */
export const discounted = (
  priceMinor: number,
  percentage: number,
): { priceMinor: number; discountMinor: number; totalMinor: number } => {
  const discountMinor = shareMinor(priceMinor, percentage)
  return { priceMinor, discountMinor, totalMinor: priceMinor - discountMinor }
}
