import { DAY_MS, daysAfter } from './dates.ts'
import { CONNECTIONS, FEATURES, type Features } from './pricing.ts'

/** What decides whether a connection can be extended: it has an end, and its place on the network is still its own. */
export type Extendable = { expiresAt: Date | null; isRevoked: boolean }

export const isRenewable = ({ expiresAt, isRevoked }: Extendable): boolean => expiresAt !== null && !isRevoked

/** The new end counts from the old one, or from now if that has passed. */
export const renewedEnd = (end: Date, now: Date, days: number): Date => daysAfter(end < now ? now : end, days)

/** What a payment bought of a connection, when it was delivered. */
export type Purchase = {
  at: Date
  /** Null: without an end. */
  days: number | null
  /** When it was cancelled: what was not used by then is gone. */
  cancelledAt: Date | null
  /** When all of its money had gone back, with none of it cancelled before. */
  givenBackAt: Date | null
}

/** From when to when a purchase has its connection run, in milliseconds. */
export type Window = { start: number; end: number }

/**
 * When each purchase of a connection runs: from the end of the one before it, or from its delivery if that has passed.
 * Purchases come in the order of their delivery. Where the connection was ended by hand, all that was bought before ends,
 * for good; and a cancelled purchase ends when it was cancelled. One whose money went back runs not at all, unless it was
 * used up by then: what came after it has run from its end.
 */
export const windowsOf = (purchases: readonly Purchase[], endedByHand: readonly Date[]): Window[] => {
  let last = Number.NEGATIVE_INFINITY
  return purchases.map(({ at, days, cancelledAt, givenBackAt }) => {
    const start = Math.max(last, at.getTime())
    const cuts = endedByHand.filter((ended) => at < ended)
    const ends = [...cuts, ...(cancelledAt ? [cancelledAt] : [])].map((end) => Math.max(start, end.getTime()))
    const end = Math.min(start + (days ?? Number.POSITIVE_INFINITY) * DAY_MS, ...ends)
    if (givenBackAt && givenBackAt.getTime() < end) return { start, end: start }
    last = end
    return { start, end }
  })
}

/**
 * Where a connection ends once its purchases are no longer what they were. Null: never. Never later than before, and what
 * was used is used: an end in the past becomes now.
 */
export const endAfterChange = (end: Date | null, windows: readonly Window[], now: Date): Date | null => {
  const bought = Math.max(now.getTime(), windows.at(-1)?.end ?? Number.NEGATIVE_INFINITY)
  if (end === null) return Number.isFinite(bought) ? new Date(bought) : null
  return bought < end.getTime() ? new Date(bought) : end
}

const hasAll = (features: Features, needed: Features) =>
  FEATURES.every(({ key }) => features[key] || !needed[key])

/** Those whose options an order leaves out: it may not extend them, or an option would be extended unpaid. */
export const missingOptionsOf = <T extends { features: Features }>(
  features: Features,
  connections: readonly T[],
): T[] => connections.filter((connection) => !hasAll(features, connection.features))

/** The options that come with an order's connections, whether or not they are chosen. */
export const keptOptions = (connections: readonly { features: Features }[]): Features =>
  Object.fromEntries(
    FEATURES.map(({ key }) => [key, connections.some(({ features }) => features[key])]),
  ) as Features

/** An order buys as many connections as it extends, or more. */
export const connectionsFor = (connections: number, renewed: number): number =>
  Math.min(CONNECTIONS.max, Math.max(connections, renewed))

const and = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const NUMBERED = /^(.+ )(\d+)$/

/** Names in a sentence: 'Hedgerow 1, 2 and 4', or 'Phone and Hedgerow 2'. */
export const listNames = (names: readonly string[]): string => {
  const shared = names[0]?.match(NUMBERED)?.[1]
  const isShared = shared !== undefined && names.every((name) => name.match(NUMBERED)?.[1] === shared)
  return isShared ? shared + and(names.map((name) => name.slice(shared.length))) : and(names)
}

/** How many of the connections are new: 'extends Hedgerow 1 and 2, 1 new'. */
export const describeRenewal = (names: readonly string[], connections: number): string => {
  const fresh = connections - names.length
  return `extends ${listNames(names)}${fresh > 0 ? `, ${fresh} new` : ''}`
}

/** So many days before its end a connection's customer is reminded. */
export const REMINDER_DAYS = [3, 1] as const
