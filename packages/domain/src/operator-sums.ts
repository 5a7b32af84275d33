/** An operator may give as much as so many acts at the limit within SUM_HOURS: ten refunds just below it are more than one. */
export const ACTS_A_DAY = 4
export const SUM_HOURS = 24

/** What all operators gave one customer within so many days counts together, whichever payment and way it was. */
export const CUSTOMER_DAYS = 30

/** In minor units of whatever currency, as the limits are. */
export type GivenSums = {
  amountMinor: number
  /** Given before to this customer, or of this payment. */
  customerMinor: number
  /** Given before by this operator within SUM_HOURS. */
  operatorMinor: number
}

/** `largeMinor`: the setting `large-refund`. `secondMinor`: the setting `second-person`. */
export type SumLimits = { largeMinor: number; secondMinor: number }

/**
 * What giving back so much takes: nothing more, the right to large sums, or that and a second person. What two have agreed
 * on counts for neither.
 */
export const judgeSum = (
  { amountMinor, customerMinor, operatorMinor }: GivenSums,
  { largeMinor, secondMinor }: SumLimits,
): 'small' | 'large' | 'two' => {
  const isAbove = (limit: number) =>
    customerMinor + amountMinor > limit || operatorMinor + amountMinor > limit * ACTS_A_DAY
  if (isAbove(secondMinor)) return 'two'
  return isAbove(largeMinor) ? 'large' : 'small'
}
