/** Names a call in the log, in the jobs that it leads to, and to the customer who asks the support about it. */
export const REQUEST_ID_HEADER = 'x-request-id'

const LETTERS = 16
const A = 97
const HALF_BYTE = 15

/** Drawn and written for many at once: for each call it would be a seventh of what an answer from memory takes. */
const drawn = new Uint8Array(LETTERS * 256)
const decoder = new TextDecoder()
let letters = ''
let used = drawn.length

/** 64 random bits in letters: easy to read out, and never a number of anything. */
export const newRequestId = (): string => {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    letters = decoder.decode(drawn.map((byte) => A + (byte & HALF_BYTE)))
    used = 0
  }
  used += LETTERS
  return letters.slice(used - LETTERS, used)
}
