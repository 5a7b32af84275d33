import { hash, randomUUID } from 'node:crypto'

/** A number from 0 up to 1 that belongs to the question; asking again answers the same. */
export type Draw = (question: string) => number

const RANGE = 2 ** 48

const fractionOf = (text: string): number => hash('sha1', text, 'buffer').readUIntBE(0, 6) / RANGE

/** Counts of more events than this are forgotten from the oldest on, so that a long run stays small. */
const MOST_COUNTS = 500_000

/** Chance that can be repeated: it hangs on the seed, the payment and how often something has happened to it. */
export class Draws {
  private seed: string = randomUUID()
  private readonly counts = new Map<string, number>()

  /** Starts counting anew, also when the seed is the same. */
  reseed(seed: string | null): void {
    this.seed = seed ?? randomUUID()
    this.counts.clear()
  }

  /** One draw for the whole life of a payment. */
  forPayment(paymentId: string): Draw {
    return (question) => fractionOf(JSON.stringify([this.seed, paymentId, question]))
  }

  /** Draws for the next event of its kind in the life of a payment. */
  forNext(paymentId: string, kind: string): Draw {
    const key = JSON.stringify([paymentId, kind])
    const count = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, count)
    if (this.counts.size > MOST_COUNTS) this.counts.delete(this.counts.keys().next().value ?? '')
    return (question) => fractionOf(JSON.stringify([this.seed, paymentId, kind, count, question]))
  }
}
