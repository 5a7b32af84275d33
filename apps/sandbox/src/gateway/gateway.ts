import { join } from 'node:path'
import { type Delays, startDelays } from '#delays.ts'
import { Books } from '#gateway/books.ts'
import { type CallbackSender, startCallbackSender } from '#gateway/callback-sender.ts'
import { Callbacks } from '#gateway/callbacks.ts'
import { type Faults, NO_FAULTS } from '#gateway/faults.ts'
import { GateError } from '#gateway/gate-error.ts'
import type { Operation, Payment } from '#gateway/payment.ts'
import { presentCallback, presentEarlier, presentForgery } from '#gateway/payment-callback.ts'
import { finishRefund } from '#gateway/refund.ts'
import { armChallengeTimeout, settleSale } from '#gateway/sale.ts'
import type { SandboxSettings } from '#settings.ts'

/** What the calls share: the books, the way out for callbacks, and everything that happens later. */
export class Gateway {
  readonly settings: SandboxSettings
  readonly faults: Faults = { ...NO_FAULTS }
  readonly books: Books
  readonly delays: Delays = startDelays()
  readonly challengeTimers = new Map<string, () => void>()
  /** Known once the server listens. */
  publicUrl = ''
  private readonly callbacks: Callbacks
  private readonly sender: CallbackSender = startCallbackSender()
  private lastOperationId = Date.now() * 1_000

  constructor(settings: SandboxSettings) {
    this.settings = settings
    this.books = new Books(settings.dataDir && join(settings.dataDir, 'books.jsonl'))
    const { books, delays, sender } = this
    this.callbacks = new Callbacks({ books, delays, sender, retryScale: settings.retryScale })
  }

  /** Takes up what a former run left: undelivered callbacks, undecided payments, card holders at their bank. */
  resume(): void {
    this.callbacks.resume()
    for (const payment of this.books.all()) {
      if (payment.status === 'awaiting 3ds result') armChallengeTimeout(this, payment)
      for (const operation of payment.operations) {
        if (operation.status !== 'processing') continue
        this.later(() => (operation.type === 'sale' ? settleSale : finishRefund)(this, payment, operation))
      }
    }
  }

  getPayment(id: string): Payment {
    const payment = this.books.find(id)
    if (!payment) throw new GateError(400, '3061')
    return payment
  }

  nextOperationId(): number {
    this.lastOperationId += 1
    return this.lastOperationId
  }

  /** Does what follows an accepted request: the answer goes out first, the callback after the set delay. */
  later(work: () => void): void {
    this.delays.after(this.faults.callbackDelayMs ?? this.settings.callbackDelayMs, work)
  }

  /** Writes the new state down and tells the merchant, in as many ways as the fault switches ask for. */
  publish(payment: Payment, operation: Operation): void {
    payment.updatedAt = operation.updatedAt
    this.books.save(payment)
    const { callbackUrl: url, id } = payment
    const { faults, settings } = this
    if (!url || faults.dropCallbacks) return
    if (faults.forgeCallbacks) this.callbacks.sendOnce(url, presentForgery(payment, operation, settings))
    const text = presentCallback(payment, operation, settings)
    for (let copies = 0; copies < faults.duplicateCallbacks; copies++)
      void this.callbacks.deliver(id, url, text)
    const isTold = this.callbacks.deliver(id, url, text)
    if (!faults.reorderCallbacks || operation.status === 'awaiting 3ds result') return
    const earlier = presentEarlier(payment, operation, settings)
    void isTold.then(() => this.later(() => void this.callbacks.deliver(id, url, earlier)))
  }

  async close(): Promise<void> {
    this.delays.close()
    this.sender.close()
    await this.books.close()
  }
}
