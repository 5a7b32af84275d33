import { daysAfter } from './dates.ts'
import { CONNECTIONS, FEATURES, type Features } from './pricing.ts'

/** What decides whether a connection can be extended: it has an end, and its place on the network is still its own. */
export type Extendable = { expiresAt: Date | null; isRevoked: boolean }

export const isRenewable = ({ expiresAt, isRevoked }: Extendable): boolean => expiresAt !== null && !isRevoked

/** The new end counts from the old one, or from now if that has passed. */
export const renewedEnd = (end: Date, now: Date, days: number): Date => daysAfter(end < now ? now : end, days)

export type Bought = { at: Date; days: number }

/** Where a connection ends by the payments that stand, in the order in which they were made. */
export const endOf = (bought: readonly Bought[]): Date | undefined =>
  bought.reduce<Date | undefined>((end, { at, days }) => renewedEnd(end ?? at, at, days), undefined)

/**
 * Where a connection ends once a payment for it was given back: as though that payment had never been. Never later than
 * before, and what was used is used: an end in the past becomes now.
 */
export const endAfterRefund = (end: Date, standing: readonly Bought[], now: Date): Date => {
  const left = endOf(standing)
  const newEnd = left && left > now ? left : now
  return newEnd < end ? newEnd : end
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
