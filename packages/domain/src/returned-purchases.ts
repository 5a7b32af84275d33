/** What purchases are counted by whose money goes back without an operator. */
export const RETURN_KINDS = ['account', 'card', 'network'] as const
export type ReturnKind = (typeof RETURN_KINDS)[number]

/**
 * With so many within so many days, the next purchase has to wait (decision 032). It stops no cancellation: that is the
 * customer's right. Someone who changes their mind does so once or twice; a network may be an office or a mobile network,
 * so that it has more, and waits a day at most, and each account behind it buys once a day all the same.
 */
export const RETURN_LIMITS: Readonly<Record<ReturnKind, { most: number; days: number }>> = {
  account: { most: 5, days: 30 },
  card: { most: 5, days: 30 },
  network: { most: 20, days: 1 },
}

/**
 * With so many purchases of an account or a card that went back or still can, the next one waits: many bought first and
 * cancelled afterwards cost as much. Ten in a fortnight are more than a family buys, and what is used up counts no more, so
 * that someone who extends day by day has a few. Those who need more have mostly kept as many: see `KEPT_DAYS`. A network's are not
 * counted before they go back: honest customers share it.
 */
export const MOST_OPEN = 10

/** Each purchase that an account has kept within so many days lets it have one more that still can go back. */
export const KEPT_DAYS = 365

/** In place of a payment's id: an operator let the account buy again, so that for it nothing counts that went back before. */
export const LET_BUY = 'let-buy'

/** So long a return is kept: then it is counted by nothing. */
export const RETURNS_KEPT_DAYS = 30
