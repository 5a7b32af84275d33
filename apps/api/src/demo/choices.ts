import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { FEATURES, type Features, fromMask, NO_FEATURES } from '@hedgerow/domain/pricing'
import type { Chance } from '#demo/chance.ts'
import type { Person } from '#demo/people.ts'

/** What someone buys: by the calculator, or a plan by its place among those on sale. */
export type Bought = { days: number; connections: number; features: Features; plan: string | undefined }

export type PlanOnSale = { id: string; days: number | null; connections: number }

/** Most take a month, or nearly. */
const DAYS = [
  [3, 3],
  [10, 7],
  [7, 14],
  [44, 30],
  [12, 60],
  [13, 90],
  [3, 180],
  [2, 365],
] as const

const CONNECTIONS = [
  [66, 3],
  [14, 4],
  [11, 5],
  [6, 7],
  [3, 10],
] as const

const FEATURE_SHARE = { priorityBandwidth: 0.3, adFilter: 0.42, malwareFilter: 0.24, familyFilter: 0.12 }

const drawFeatures = (chance: Chance): Features =>
  fromMask(FEATURES.reduce((mask, { key, bit }) => (chance.is(FEATURE_SHARE[key]) ? mask | bit : mask), 0))

const BY_PLAN = 0.28

/** One week seldom, for a month often, the endless one hardly ever. */
const planWeight = ({ days }: PlanOnSale) => (days === null ? 0.05 : days === 7 ? 2 : days < 100 ? 6 : 0.4)

export const drawChoice = (chance: Chance, plans: readonly PlanOnSale[]): Bought => {
  if (chance.is(BY_PLAN)) {
    const plan = chance.weigh(plans.map((one) => [planWeight(one), one] as const))
    return { days: plan.days ?? 0, connections: plan.connections, features: NO_FEATURES, plan: plan.id }
  }
  return {
    days: chance.weigh(DAYS),
    connections: chance.weigh(CONNECTIONS),
    features: drawFeatures(chance),
    plan: undefined,
  }
}

/** A page of a wallet's is none of the demonstration's. */
export type DemoMethod = Exclude<PaymentMethod, 'crypto'>

const WAYS: Readonly<Record<string, readonly (readonly [often: number, method: DemoMethod])[]>> = {
  PL: [
    [68, 'blik'],
    [32, 'card'],
  ],
  GB: [
    [66, 'card'],
    [34, 'open_banking'],
  ],
  DE: [
    [58, 'card'],
    [42, 'open_banking'],
  ],
}

export const drawMethod = (chance: Chance, { country }: Person, { plan }: Bought): DemoMethod =>
  plan === undefined ? chance.weigh(WAYS[country.code] ?? [[1, 'card']]) : 'card'

/** How an attempt to pay goes. */
export type Going = 'paid' | 'declined' | 'expired' | 'cancelled' | 'left'

const GOINGS = {
  card: [
    [880, 'paid'],
    [75, 'declined'],
    [15, 'expired'],
    [30, 'cancelled'],
  ],
  open_banking: [
    [865, 'paid'],
    [35, 'declined'],
    [60, 'expired'],
    [40, 'cancelled'],
  ],
  blik: [
    [890, 'paid'],
    [45, 'declined'],
    [45, 'expired'],
    [20, 'cancelled'],
  ],
} as const satisfies Record<DemoMethod, readonly (readonly [number, Going])[]>

export const drawGoing = (chance: Chance, method: DemoMethod): Going => chance.weigh<Going>(GOINGS[method])
