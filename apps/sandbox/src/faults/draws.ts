import { hash, randomUUID } from 'node:crypto'

/** A number from 0 up to 1 that belongs to the question; asking again gives the same. */
export type Draw = (question: string) => number

/** Chance that can be repeated: it hangs on the seed, the payment and how often something has happened to it. */
export type Draws = {
  /** Starts counting anew, also when the seed is the same. */
  reseed(seed: string | null): void
  /** One draw for the whole life of a payment. */
  forPayment(paymentId: string): Draw
  /** Draws for the next event of its kind in the life of a payment. */
  forNext(paymentId: string, kind: string): Draw
}

const RANGE = 2 ** 48

const fractionOf = (...parts: unknown[]): number =>
  hash('sha1', JSON.stringify(parts), 'buffer').readUIntBE(0, 6) / RANGE

/** Counts of more events than this are forgotten from the oldest on, so that a long run stays small. */
const MOST_COUNTS = 500_000

export const createDraws = (): Draws => {
  let seed: string = randomUUID()
  const counts = new Map<string, number>()
  return {
    reseed: (wanted) => {
      seed = wanted ?? randomUUID()
      counts.clear()
    },
    forPayment: (paymentId) => (question) => fractionOf(seed, paymentId, question),
    forNext: (paymentId, kind) => {
      const key = JSON.stringify([paymentId, kind])
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (counts.size > MOST_COUNTS) counts.delete(counts.keys().next().value ?? '')
      return (question) => fractionOf(seed, paymentId, kind, count, question)
    },
  }
}
