import type { Choice, FeatureKey } from '@hedgerow/domain/pricing'

/** Which connections a choice extends, and what follows from it. */
export type Renewal = {
  ids: readonly string[]
  /** Options that those connections have, with the reason why each is chosen for good. */
  kept: Partial<Record<FeatureKey, string>>
}

export const NO_RENEWAL: Renewal = { ids: [], kept: {} }

/** The choice with what the extended connections need: their options, and enough connections. */
export const withRenewal = ({ days, connections, features }: Choice, { ids, kept }: Renewal): Choice => ({
  days,
  connections: Math.max(connections, ids.length),
  features: Object.assign({ ...features }, ...Object.keys(kept).map((key) => ({ [key]: true }))),
})
