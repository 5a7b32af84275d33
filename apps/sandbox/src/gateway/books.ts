import { isUnfinished, type Payment } from '#gateway/payment.ts'
import type { Journal } from '#journal.ts'
import { noJournal, openJournal, readJournal } from '#journal.ts'

export type PendingCallback = { id: string; paymentId: string; url: string; text: string }

type Line =
  | { kind: 'payment'; payment: Payment }
  | { kind: 'callback'; callback: PendingCallback }
  | { kind: 'callback-ended'; id: string; paymentId: string; tally: Payment['callbacks'] }

/** What a version before the many steps wrote: one challenge or none. */
type EarlierPayment = { declineUrl: string; challenge?: unknown }

/** A card holder who was at the bank then can no longer answer, and loses the payment. */
const fromEarlier = (payment: Payment & Partial<EarlierPayment>): Payment => {
  if (Array.isArray(payment.plan.steps)) return payment
  const { declineUrl, challenge, ...kept } = payment
  const code = challenge ? '108' : payment.plan.code
  const [sale, ...others] = payment.operations
  const operations =
    challenge && sale ? [{ ...sale, status: 'processing' as const }, ...others] : payment.operations
  return { ...kept, plan: { steps: [], code }, returnUrls: { decline: declineUrl }, operations }
}

const MOST_PAYMENTS = 50_000
/** How far to look for a finished payment to forget; beyond it, the oldest goes whatever its state. */
const LOOK_AHEAD = 1_000

/** All payments by their id, oldest first, and the callbacks still owed. */
export class Books {
  readonly pendingCallbacks = new Map<string, PendingCallback>()
  private readonly payments = new Map<string, Payment>()
  private journal: Journal = noJournal

  constructor(file: string | undefined) {
    if (!file) return
    for (const line of readJournal<Line>(file)) this.replay(line)
    this.journal = openJournal(file, this.lines())
  }

  find(id: string): Payment | undefined {
    return this.payments.get(id)
  }

  get size(): number {
    return this.payments.size
  }

  all(): MapIterator<Payment> {
    return this.payments.values()
  }

  /** The newest first; with an id, only those older than that payment. */
  newest(count: number, before?: string): Payment[] {
    const all = [...this.payments.values()]
    const end = before === undefined ? all.length : all.findLastIndex(({ id }) => id === before)
    return all.slice(Math.max(end - count, 0), Math.max(end, 0)).reverse()
  }

  /** Taken in as the newest, in place of a former payment of that id if there is one. */
  add(payment: Payment): void {
    this.payments.delete(payment.id)
    this.payments.set(payment.id, payment)
    if (this.payments.size > MOST_PAYMENTS) this.forgetOne()
    this.save(payment)
  }

  save(payment: Payment): void {
    this.journal.append({ kind: 'payment', payment } satisfies Line)
  }

  callbackOwed(callback: PendingCallback): void {
    this.pendingCallbacks.set(callback.id, callback)
    this.journal.append({ kind: 'callback', callback } satisfies Line)
  }

  callbackEnded({ id, paymentId }: PendingCallback): void {
    this.pendingCallbacks.delete(id)
    const tally = this.payments.get(paymentId)?.callbacks ?? { tried: 0, delivered: 0 }
    this.journal.append({ kind: 'callback-ended', id, paymentId, tally } satisfies Line)
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  private forgetOne(): void {
    let looked = 0
    let [victim] = this.payments.keys()
    for (const payment of this.payments.values()) {
      if (isUnfinished(payment) && ++looked < LOOK_AHEAD) continue
      if (looked < LOOK_AHEAD) victim = payment.id
      break
    }
    if (victim !== undefined) this.payments.delete(victim)
  }

  private replay(line: Line): void {
    if (line.kind === 'payment') {
      this.payments.set(line.payment.id, fromEarlier(line.payment))
      if (this.payments.size > MOST_PAYMENTS) this.forgetOne()
    } else if (line.kind === 'callback') {
      this.pendingCallbacks.set(line.callback.id, line.callback)
    } else {
      this.pendingCallbacks.delete(line.id)
      const payment = this.payments.get(line.paymentId)
      if (payment) payment.callbacks = line.tally
    }
  }

  private *lines(): Generator<Line> {
    for (const payment of this.payments.values()) yield { kind: 'payment', payment }
    for (const callback of this.pendingCallbacks.values()) yield { kind: 'callback', callback }
  }
}
