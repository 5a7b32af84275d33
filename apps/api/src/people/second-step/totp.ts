import { Secret, TOTP } from 'otpauth'

/** As authenticator apps reckon it (RFC 6238): SHA-1, six digits, 30 s. All of them take these. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const

const SECRET_BYTES = 20
const STEPS_A_MINUTE = 2

/** Phones are up to so many steps off, either way. */
const STEPS_OFF = 1

/** So far a clock may be off to be named as the cause. */
const MOST_MINUTES_OFF = 10

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

const totpOf = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret), ...KIND })

/** What an authenticator app reads from the QR code: `issuer` and `label` are what it calls the account. */
export const uriOf = (secret: string, issuer: string, label: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), ...KIND, issuer, label }).toString()

/** How many steps off the code is; undefined for one of no step within `window`. */
const deltaOf = (secret: string, code: string, nowMs: number, window: number): number | undefined =>
  totpOf(secret).validate({ token: code, timestamp: nowMs, window }) ?? undefined

/** The 30-second step that a code is of, counted from 1970; undefined for a wrong one. `secret` is base32. */
export const stepOf = (secret: string, code: string, nowMs: number): number | undefined => {
  const delta = deltaOf(secret, code, nowMs, STEPS_OFF)
  return delta === undefined ? undefined : totpOf(secret).counter({ timestamp: nowMs }) + delta
}

/** How many minutes the clock is ahead that a code was made by, negative where it is behind; undefined for none within ten. */
export const minutesOff = (secret: string, code: string, nowMs: number): number | undefined => {
  const delta = deltaOf(secret, code, nowMs, MOST_MINUTES_OFF * STEPS_A_MINUTE)
  if (delta === undefined) return undefined
  return Math.sign(delta) * Math.ceil(Math.abs(delta) / STEPS_A_MINUTE)
}
