/** A connection without an end never expires ('Ethernity'). Active means: the end is not earlier than now (spec §3). */
export const isActive = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt === null || expiresAt.getTime() >= now.getTime()

/** How long 'Get by Email' and 'Download' stay disabled after a mail was asked for (spec §4). */
export const MAIL_LOCK_MS = 2000

/** Keepalive of every configuration (spec §9). */
export const KEEPALIVE_SECONDS = 15

/** The QR code in the profile (spec §2): pixels, and error correction level. */
export const QR = { size: 250, level: 'M' } as const
