import { DAY_MS } from './dates.ts'

/** A connection without an end never expires ('Ethernity'). Active means: the end is not earlier than now (spec §3). */
export const isActive = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt === null || expiresAt.getTime() >= now.getTime()

/** A connection's state, as its customer and the operator see it. Nothing finer is known. */
export const CONNECTION_STATUSES = ['never-connected', 'connected', 'idle', 'expired'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** `isConnectedToday` null: it never was. Today is a day in UTC. */
export const connectionStatus = (isActive: boolean, isConnectedToday: boolean | null): ConnectionStatus => {
  if (!isActive) return 'expired'
  if (isConnectedToday === null) return 'never-connected'
  return isConnectedToday ? 'connected' : 'idle'
}

/** Keys that nobody has used for so long may not get through where their owner is. */
export const LONG_UNUSED_MS = 15 * 60_000

/** Its last fifth, and a week at most: who has bought a week has not come to renew it the same day. */
export const isSoonOver = (expiresAt: Date, boughtDays: number, now: Date): boolean =>
  expiresAt.getTime() - now.getTime() <= Math.min(7, boughtDays / 5) * DAY_MS

/** So many characters a customer may give a connection's name. */
export const CONNECTION_NAME = { max: 60 } as const

/**
 * So often a day, and in seven, a customer may give connections new keys or move them: each time may take an address, and
 * the old one rests. A day's are enough for every connection of the largest order.
 */
export const NEW_KEYS_A_DAY = 20
export const NEW_KEYS_A_WEEK = 40

/**
 * So often a day the old keys of a connection may be cut off, counted anew with each password: a thief's calls leave the
 * owner who has chosen another one his own. It takes no address.
 */
export const CUT_OFFS_A_DAY = 5

/** So long a link shows a connection to anyone who has it. */
export const SHARE_LINK_DAYS = 7

/** How long 'Get by Email' and 'Download' stay disabled after a mail was asked for (spec §4). */
export const MAIL_LOCK_MS = 2000

/** Keepalive of every configuration (spec §9). */
export const KEEPALIVE_SECONDS = 15

/** The QR code in the profile (spec §2): pixels, and error correction level. */
export const QR = { size: 250, level: 'M' } as const

/** Bytes of version 25 at that level: its 117 modules have two pixels each. */
const MOST_IN_QR = 997

/** Whether cameras read it as a code of that size. */
export const fitsQrCode = (text: string): boolean => new TextEncoder().encode(text).length <= MOST_IN_QR
