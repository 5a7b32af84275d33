/** Secrets that anyone could guess, or read in an example. */
import { isUtf8 } from 'node:buffer'

const SHORTEST_SECRET = 16
const FEWEST_SIGNS = 6
/** What examples and sandboxes say instead of a secret; none that was drawn holds it. */
const PLACEHOLDER = /secret|example|change.?me|password|sandbox/i

export const isWeakSecret = (secret: string): boolean =>
  secret.trim().length < SHORTEST_SECRET || new Set(secret).size < FEWEST_SIGNS || PLACEHOLDER.test(secret)

/** Whether an address holds a log-in that an example or an installation comes with: its own name again, or an example's word. */
export const hasDefaultPassword = (address: string): boolean => {
  const { username, password } = new URL(address)
  return password !== '' && (password === username || PLACEHOLDER.test(password))
}

/** Of 32 bytes that were drawn, fewer than this differ once in some hundred million keys. */
const FEWEST_BYTES = 20

const isCounted = (key: Buffer): boolean => {
  const steps = key.subarray(1).map((byte, index) => byte - (key[index] ?? 0))
  return new Set(steps).size === 1
}

/** A key that was typed, repeated or counted up instead of drawn: readable text, few bytes, or one step between all. */
export const isWeakKey = (key: Buffer): boolean =>
  isUtf8(key) || new Set(key).size < FEWEST_BYTES || isCounted(key)
