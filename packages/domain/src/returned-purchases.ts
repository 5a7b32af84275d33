/** What purchases are counted by whose money goes back without an operator. */
export const RETURN_KINDS = ['account', 'card', 'network'] as const
export type ReturnKind = (typeof RETURN_KINDS)[number]

/**
 * With so many within so many days, the next purchase has to wait (decision 032). It stops no cancellation: that is the
 * customer's right. Someone who changes their mind does so once or twice; a network may be an office or a mobile network,
 * so that it has more, and waits a day at most.
 */
export const RETURN_LIMITS: Readonly<Record<ReturnKind, { most: number; days: number }>> = {
  account: { most: 5, days: 30 },
  card: { most: 5, days: 30 },
  network: { most: 20, days: 1 },
}

/** So long a return is kept: then it is counted by nothing. */
export const RETURNS_KEPT_DAYS = 30
