import { type Plan, periodDays } from './plans.ts'
import {
  type Choice,
  CONNECTIONS,
  DAYS,
  DEFAULT_PRICES,
  FEATURES,
  NO_FEATURES,
  type Prices,
  totalMinor,
} from './pricing.ts'

/** Plans come without options, so none of them gives what a choice with one gives. */
const hasOptions = ({ features }: Choice): boolean => FEATURES.some(({ key }) => features[key])

const daysOf = ({ period }: Plan): number => periodDays(period) ?? Number.POSITIVE_INFINITY

/**
 * The plan that gives at least what was chosen (days, connections) for less; of several the cheapest, and of those the
 * longest. What is compared is the number charged, which is the same in pounds, in which plans are sold, as in euros.
 */
export const cheaperPlan = (
  choice: Choice,
  plans: readonly Plan[],
  prices: Prices = DEFAULT_PRICES,
): Plan | undefined =>
  hasOptions(choice)
    ? undefined
    : plans
        .filter(
          (plan) =>
            daysOf(plan) >= choice.days &&
            plan.connections >= choice.connections &&
            plan.priceMinor < totalMinor(choice, prices),
        )
        .sort((one, other) => one.priceMinor - other.priceMinor || daysOf(other) - daysOf(one))[0]

/** The other way round: the choice that gives what a plan gives for less, if the calculator can make it. */
export const cheaperChoice = (
  { period, connections, priceMinor }: Plan,
  prices: Prices = DEFAULT_PRICES,
): Choice | undefined => {
  const days = periodDays(period)
  if (days === null || days > DAYS.max || connections > CONNECTIONS.max) return undefined
  const choice = { days, connections: Math.max(CONNECTIONS.min, connections), features: NO_FEATURES }
  return totalMinor(choice, prices) < priceMinor ? choice : undefined
}
