/** Names a call in the log, in the jobs that it leads to, and to the customer who asks the support about it. */
export const REQUEST_ID_HEADER = 'x-request-id'

const BYTES = 16
const A = 97
const HALF_BYTE = 15

/** 64 random bits in letters: easy to read out, and never a number of anything. */
export const newRequestId = (): string =>
  String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES)).map((byte) => A + (byte & HALF_BYTE)))
