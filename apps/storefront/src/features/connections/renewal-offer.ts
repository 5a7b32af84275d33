import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { listNames } from '@hedgerow/domain/renewals'
import { isDue } from '#features/connections/is-due.ts'
import { isOver } from '#features/connections/is-over.ts'

/** How connections are renewed: which of them together, and where. */
export type Renewals = {
  group: (due: readonly Connection[]) => readonly Connection[][]
  path: (connections: readonly Connection[]) => string
}

export type RenewalOffer = { ids: readonly string[]; says: string; path: string }

const sayOf = (connections: readonly Connection[], now: Date): string => {
  const [first] = connections
  const day = formatLocalDay(new Date(first?.expirationDate ?? Number.NaN))
  const verb = first && isOver(first, now) ? 'ended' : 'end'
  return `${listNames(connections.map(({ name }) => name))} ${verb} on ${day}.`
}

/** What is due by now, as it is renewed. */
export const offersOf = (connections: readonly Connection[], renewals: Renewals, now: Date): RenewalOffer[] =>
  renewals.group(connections.filter((one) => isDue(one, now))).map((together) => ({
    ids: together.map(({ _id }) => _id),
    says: sayOf(together, now),
    path: renewals.path(together),
  }))
