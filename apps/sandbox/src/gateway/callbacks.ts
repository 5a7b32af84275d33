import { randomUUID } from 'node:crypto'
import type { Delays } from '#delays.ts'
import type { Books, PendingCallback } from '#gateway/books.ts'
import { MOST_TRIES, pauseAfterTry } from '#gateway/callback-pauses.ts'
import type { CallbackSender } from '#gateway/callback-sender.ts'

type Needs = { books: Books; delays: Delays; sender: CallbackSender; retryScale: number }

/** Even a scale of 0 leaves a pause, or a shop that is down would be called in a tight loop. */
const SHORTEST_PAUSE_MS = 1

/** Delivers each callback until it is answered with HTTP 200, also over a restart. */
export class Callbacks {
  private readonly needs: Needs

  constructor(needs: Needs) {
    this.needs = needs
  }

  /** Resolves after the first try, whatever came of it. */
  deliver(paymentId: string, url: string, text: string, delayMs = 0): Promise<void> {
    const callback = { id: randomUUID(), paymentId, url, text }
    this.needs.books.callbackOwed(callback)
    if (delayMs === 0) return this.try(callback, 1)
    return new Promise((resolve) => {
      this.needs.delays.after(delayMs, () => void this.try(callback, 1).then(resolve))
    })
  }

  /** For what is not true: nobody repeats a forgery that was refused, and the books do not count it. */
  sendOnce(url: string, text: string): void {
    void this.needs.sender.post(url, text)
  }

  resume(): void {
    for (const callback of this.needs.books.pendingCallbacks.values()) void this.try(callback, 1)
  }

  private async try(callback: PendingCallback, tries: number): Promise<void> {
    const { books, delays, sender, retryScale } = this.needs
    const isDelivered = (await sender.post(callback.url, callback.text)) === 200
    const tally = books.find(callback.paymentId)?.callbacks
    if (tally) {
      tally.tried += 1
      if (isDelivered) tally.delivered += 1
    }
    if (isDelivered || tries >= MOST_TRIES) return books.callbackEnded(callback)
    const pauseMs = Math.max(pauseAfterTry(tries) * 1_000 * retryScale, SHORTEST_PAUSE_MS)
    delays.after(pauseMs, () => void this.try(callback, tries + 1))
  }
}
