/** How often it may be tried to pay in vain: what stands in the way of testing stolen cards (decision 032). */
import { networksAround } from './networks.ts'
import type { PaymentMethod } from './payment-methods.ts'

/** What attempts are counted by. */
export const VELOCITY_KINDS = ['order', 'account', 'issuer', 'network'] as const
export type VelocityKind = (typeof VELOCITY_KINDS)[number]

type VelocityLimit = { most: number; minutes: number }

/**
 * So many attempts that were declined, or that have not ended, in so many minutes; the next one has to wait until the oldest
 * of them is that old. Cards are counted by all four; what is paid at a bank or by Blik by order and account, apart from the
 * cards, so that a pause of one leaves the other open. Three mistyped cards are far from any of them.
 */
export const VELOCITY_LIMITS: Readonly<Record<VelocityKind, VelocityLimit>> = {
  order: { most: 5, minutes: 60 },
  account: { most: 10, minutes: 24 * 60 },
  /** Many customers have cards of one issuer: what is counted is shared by all of them. See also `PASS`. */
  issuer: { most: 30, minutes: 60 },
  /** A family, an office, or a mobile network behind one address; larger networks several times as often (`networksAround`). */
  network: { most: 20, minutes: 60 },
}

/**
 * While an issuer's cards are paused, every account has so many attempts in vain all the same: the one who causes the pause
 * keeps no honest buyer from paying, and gains an attempt for each account that they open. While a network is, which may be a
 * mobile one, accounts have them that have kept a purchase until it could not be taken back.
 */
const PASS: VelocityLimit = { most: 1, minutes: 24 * 60 }

const ISSUER_DIGITS = 6

/** The first six digits of a card: which issuer it is of. */
export const issuerOf = (pan: string): string => pan.slice(0, ISSUER_DIGITS)

/**
 * An attempt to pay, as far as it is counted. `pan` is known where the card is typed at the shop; without `address` it
 * comes from where too many people do.
 */
type Attempt = {
  method: PaymentMethod
  orderId: string
  customerId: string
  address?: string | undefined
  pan?: string | undefined
}

/** Something that an attempt counts for, by a name of its own. */
export type VelocityCount = VelocityLimit & { kind: VelocityKind; name: string }

/** What keeps the attempts in number that a pause of an issuer or a network does not stop. */
export type VelocityPass = VelocityLimit & { kind: 'pass'; name: string }

/** Returns by what an attempt counts that an account makes in spite of such a pause, besides all else. */
export const passOf = (customerId: string): VelocityPass => ({
  ...PASS,
  kind: 'pass',
  name: `card pass ${customerId}`,
})

/** Returns all that an attempt counts for. A scale of 2 allows twice as many, one of 0 any number. */
export const velocityCountsOf = (attempt: Attempt, scale: number): VelocityCount[] => {
  if (scale === 0) return []
  const { method, orderId, customerId, address, pan } = attempt
  const isCard = method === 'card'
  const count = (kind: VelocityKind, of: string, times = 1): VelocityCount => {
    const { most, minutes } = VELOCITY_LIMITS[kind]
    const name = `${isCard ? 'card' : 'elsewhere'} ${kind} ${of}`
    return { kind, name, most: Math.ceil(most * scale * times), minutes }
  }
  return [
    count('order', orderId),
    count('account', customerId),
    ...(isCard && address !== undefined
      ? networksAround(address).map(({ network, times }) => count('network', network, times))
      : []),
    ...(pan === undefined ? [] : [count('issuer', issuerOf(pan))]),
  ]
}
