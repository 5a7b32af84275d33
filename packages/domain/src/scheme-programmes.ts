/**
 * How card schemes watch merchants, month by month: Visa's Acquirer Monitoring Program (VAMP, its limit for merchants since April
 * 2026) and Mastercard's Excessive Chargeback Program. A merchant is over where count and ratio are both reached. Visa counts a
 * fraud twice, as the issuer's report (TC40) and as the dispute (TC15), over the month's own payments; Mastercard counts
 * disputes over the payments of the month before.
 */
export const PROGRAMMES = {
  Visa: { ratio: 0.015, count: 1_500 },
  Mastercard: { ratio: 0.015, count: 100 },
} as const

export type Scheme = keyof typeof PROGRAMMES
export const SCHEMES = Object.keys(PROGRAMMES) as Scheme[]

/** Of one scheme in one month. */
export type SchemeMonth = {
  payments: number
  /** In the month before. */
  paymentsBefore: number
  disputes: number
  /** Those of the disputes whose reason is fraud. */
  fraud: number
}

export type Standing = 'below' | 'near' | 'over'

/** Acquirers act long before the schemes do: half of the ratio is near, from so many disputes on. */
const NEAR_PART = 0.5
const NEAR_COUNT = 5

/** `ratio` is null where there was nothing to count over. */
export const judgeMonth = (
  scheme: Scheme,
  { payments, paymentsBefore, disputes, fraud }: SchemeMonth,
): { counted: number; over: number; ratio: number | null; standing: Standing } => {
  const limit = PROGRAMMES[scheme]
  const isVisa = scheme === 'Visa'
  const counted = isVisa ? disputes + fraud : disputes
  const over = isVisa ? payments : paymentsBefore
  const ratio = over === 0 ? null : counted / over
  const reached = ratio ?? (counted > 0 ? 1 : 0)
  if (counted >= limit.count && reached >= limit.ratio) return { counted, over, ratio, standing: 'over' }
  const isNear = disputes >= NEAR_COUNT && reached >= limit.ratio * NEAR_PART
  return { counted, over, ratio, standing: isNear ? 'near' : 'below' }
}
