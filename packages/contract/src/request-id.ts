/** Names a call in the log, in the jobs that it leads to, and to the customer who asks the support about it. */
export const REQUEST_ID_HEADER = 'x-request-id'

const BYTES = 16
const A = 97
const HALF_BYTE = 15

/** Drawn for many at once: a draw for each call would be a seventh of what an answer from memory takes. */
const drawn = new Uint8Array(BYTES * 256)
let used = drawn.length

/** 64 random bits in letters: easy to read out, and never a number of anything. */
export const newRequestId = (): string => {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  const bytes = drawn.subarray(used, used + BYTES)
  used += BYTES
  return String.fromCharCode(...bytes.map((byte) => A + (byte & HALF_BYTE)))
}
