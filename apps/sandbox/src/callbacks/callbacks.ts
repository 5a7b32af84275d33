import { randomUUID } from 'node:crypto'
import type { Books, PendingCallback } from '#books/books.ts'
import type { CallbackSender } from '#callbacks/callback-sender.ts'
import type { Delays } from '#delays.ts'

type Needs = { books: Books; delays: Delays; sender: CallbackSender; retryScale: number }

/** Delivers each callback until it is answered with HTTP 200, also over a restart. */
export type Callbacks = {
  /** Resolves after the first try, whatever came of it. */
  deliver(paymentId: string, url: string, text: string, delayMs?: number): Promise<void>
  /** For what is not true: a forgery that was refused is not repeated, and the books do not count it. */
  sendOnce(url: string, text: string): void
  resume(): void
}

const MOST_TRIES = 120
const LONGEST_PAUSE_S = 4 * 3_600

/** Even a scale of 0 leaves a pause, or a shop that is down would be called in a tight loop. */
const SHORTEST_PAUSE_MS = 1

/** Seconds between the given try and the next, by the gateway's published schedule: six quick tries, then patience. */
export const pauseAfterTry = (tries: number): number =>
  tries < 6 ? 10 : Math.min(70 + 10 * 1.12 ** (tries - 4), LONGEST_PAUSE_S)

export const createCallbacks = ({ books, delays, sender, retryScale }: Needs): Callbacks => {
  const attempt = async (callback: PendingCallback, tries: number): Promise<void> => {
    const isDelivered = (await sender.post(callback.url, callback.text)) === 200
    const tally = books.find(callback.paymentId)?.callbacks
    if (tally) {
      tally.tried += 1
      if (isDelivered) tally.delivered += 1
    }
    if (isDelivered || tries >= MOST_TRIES) return books.callbackEnded(callback)
    const pauseMs = Math.max(pauseAfterTry(tries) * 1_000 * retryScale, SHORTEST_PAUSE_MS)
    delays.after(pauseMs, () => void attempt(callback, tries + 1))
  }

  return {
    deliver: (paymentId, url, text, delayMs = 0) => {
      const callback = { id: randomUUID(), paymentId, url, text }
      books.callbackOwed(callback)
      if (delayMs === 0) return attempt(callback, 1)
      return new Promise((resolve) => {
        delays.after(delayMs, () => void attempt(callback, 1).then(resolve))
      })
    },
    sendOnce: (url, text) => {
      void sender.post(url, text)
    },
    resume: () => {
      for (const callback of books.pendingCallbacks.values()) void attempt(callback, 1)
    },
  }
}
