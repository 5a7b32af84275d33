import {
  CONNECTIONS,
  DEFAULT_CHOICE,
  DEFAULT_PRICES,
  FEATURES,
  fromMask,
  type Prices,
  totalMinor,
} from './pricing.ts'
import { RUNNING_SETTING_NAMES, type RunningSetting } from './running-settings.ts'

/** The running settings that the calculator computes with. */
export type PriceSetting = Extract<RunningSetting, `price-${string}`>
export const isPriceSetting = (name: RunningSetting): name is PriceSetting => name.startsWith('price-')
export const PRICE_SETTINGS = RUNNING_SETTING_NAMES.filter(isPriceSetting)

/** What each is the price of. */
export const PRICE_NAMES: Readonly<Record<PriceSetting, string>> = {
  'price-day': 'A day',
  'price-connection': `Each connection above ${CONNECTIONS.min}`,
  'price-priority-bandwidth': 'Priority bandwidth',
  'price-ad-filter': 'Advertisement filter',
  'price-malware-filter': 'Malicious content filter',
  'price-family-filter': 'Family content filter',
}

/** Some of them, in minor units. */
export type PriceValues = Readonly<Partial<Record<PriceSetting, number>>>

/** What each is by default. */
export const USUAL_PRICES: Readonly<Record<PriceSetting, number>> = {
  'price-day': DEFAULT_PRICES.dayMinor,
  'price-connection': DEFAULT_PRICES.extraConnectionMinor,
  'price-priority-bandwidth': DEFAULT_PRICES.featuresMinor.priorityBandwidth,
  'price-ad-filter': DEFAULT_PRICES.featuresMinor.adFilter,
  'price-malware-filter': DEFAULT_PRICES.featuresMinor.malwareFilter,
  'price-family-filter': DEFAULT_PRICES.featuresMinor.familyFilter,
}

/** What the calculator computes with: what operators have set, and the default where they have set nothing. */
export const pricesOf = (set: PriceValues): Prices => {
  const price = (name: PriceSetting): number => set[name] ?? USUAL_PRICES[name]
  return {
    dayMinor: price('price-day'),
    extraConnectionMinor: price('price-connection'),
    featuresMinor: {
      priorityBandwidth: price('price-priority-bandwidth'),
      adFilter: price('price-ad-filter'),
      malwareFilter: price('price-malware-filter'),
      familyFilter: price('price-family-filter'),
    },
  }
}

type PriceChange = { dueAt: string; prices: PriceValues }

/** What is set at a moment, by the changes to come until then, the next of which is first. Times are ISO 8601 in UTC. */
export const valuesAt = (set: PriceValues, changes: readonly PriceChange[], at: string): PriceValues =>
  Object.assign({}, set, ...changes.filter(({ dueAt }) => dueAt <= at).map(({ prices }) => prices))

const EVERY_OPTION = fromMask(FEATURES.reduce((mask, { bit }) => mask | bit, 0))

/** Orders as many customers make them: what other prices would come to is shown by these. */
const EXAMPLES = [
  DEFAULT_CHOICE,
  { ...DEFAULT_CHOICE, features: EVERY_OPTION },
  { ...DEFAULT_CHOICE, connections: 5, features: EVERY_OPTION },
]

type Example = { text: string; beforeMinor: number; afterMinor: number }

/** What typical orders come to at these prices, and at others. */
export const comparePrices = (before: PriceValues, after: PriceValues): Example[] =>
  EXAMPLES.map((choice) => ({
    text: `${choice.days} days and ${choice.connections} connections${choice.features === EVERY_OPTION ? ' with every option' : ''}`,
    beforeMinor: totalMinor(choice, pricesOf(before)),
    afterMinor: totalMinor(choice, pricesOf(after)),
  }))
