import type { Connection } from '@hedgerow/contract/connections'
import { isoDay } from '@hedgerow/domain/dates'
import { FIRST_CURRENCY } from '@hedgerow/domain/money'
import { planCheckoutPath } from '@hedgerow/domain/plans'
import { CONNECTIONS, DEFAULT_CHOICE, FEATURES, fromWireFeatures } from '@hedgerow/domain/pricing'
import { connectionsFor, keptOptions } from '@hedgerow/domain/renewals'
import { calculatorPath } from '#features/orders/choice-params.ts'

/** The address at which these are renewed for as long as they were bought last: the plan's checkout, or the calculator. */
export const renewPath = (connections: readonly Connection[]): string => {
  const ids = connections.map(({ _id }) => _id)
  const { plan, days = DEFAULT_CHOICE.days, currency = FIRST_CURRENCY } = connections[0]?.lastBought ?? {}
  const features = keptOptions(connections.map((one) => ({ features: fromWireFeatures(one.features) })))
  const hasOptions = FEATURES.some(({ key }) => features[key])
  // A plan comes without options, and with so many connections as it has.
  if (plan && !hasOptions && ids.length <= plan.connections) return planCheckoutPath(plan._id, ids)
  const count = connectionsFor(CONNECTIONS.min, ids.length)
  return calculatorPath({ days, connections: count, features }, currency, ids)
}

/** What ended, or ends, on the same day in London and was bought alike: each day's mail reminds of as many. */
const kindOf = ({ expirationDate, lastBought }: Connection) =>
  [
    expirationDate && isoDay(new Date(expirationDate)),
    lastBought?.plan?._id,
    lastBought?.days,
    lastBought?.currency,
  ].join()

/**
 * Connections that are due, by what is renewed together; the most urgent first, as they come. By hand: Map.groupBy is too
 * new for some phones.
 */
export const groupDue = (due: readonly Connection[]): Connection[][] => {
  const groups: { kind: string; members: Connection[] }[] = []
  for (const one of due) {
    const kind = kindOf(one)
    // No order extends more.
    const group = groups.find(
      ({ kind: other, members }) => other === kind && members.length < CONNECTIONS.max,
    )
    if (group) group.members.push(one)
    else groups.push({ kind, members: [one] })
  }
  return groups.map(({ members }) => members)
}
