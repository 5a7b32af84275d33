import type { Connection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'
import { DAY_MS } from '@hedgerow/domain/dates'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { FEATURES, fromWireFeatures } from '@hedgerow/domain/pricing'
import { listNames } from '@hedgerow/domain/renewals'
import type { Renewal } from '#features/orders/renewal.ts'

export type Renewable = {
  id: string
  name: string
  end: Date
  hasEnded: boolean
  features: Connection['features']
}

/** Connections that can be extended: what ends next at the top, then what has ended, the latest first. */
export const renewableOf = (connections: readonly Connection[], now: Date): Renewable[] => {
  const all = connections.flatMap(({ _id: id, name, expirationDate, isRenewable, features }) => {
    const end = new Date(expirationDate ?? Number.NaN)
    const isKept = isRenewable && now.getTime() - end.getTime() < ENDED_KEPT_DAYS * DAY_MS
    return isKept ? [{ id, name, end, hasEnded: !isActive(end, now), features }] : []
  })
  const nearest = ({ end }: Renewable) => Math.abs(end.getTime() - now.getTime())
  return all.toSorted(
    (one, other) => Number(one.hasEnded) - Number(other.hasEnded) || nearest(one) - nearest(other),
  )
}

/** What follows for an order that extends these. */
export const renewalOf = (chosen: readonly Renewable[]): Renewal => {
  const reasons = FEATURES.flatMap(({ key }) => {
    const having = chosen.filter(({ features }) => fromWireFeatures(features)[key])
    if (having.length === 0) return []
    const names = listNames(having.map(({ name }) => name))
    return [[key, `${names} ${having.length === 1 ? 'has' : 'have'} it, so it stays`]]
  })
  return { ids: chosen.map(({ id }) => id), kept: Object.fromEntries(reasons) }
}
