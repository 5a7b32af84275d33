import { join } from 'node:path'
import { type Delays, startDelays } from '#delays.ts'
import { Draws } from '#faults/draws.ts'
import { tellMerchant } from '#faults/tell-merchant.ts'
import { Books } from '#gateway/books.ts'
import { type CallbackSender, startCallbackSender } from '#gateway/callback-sender.ts'
import { Callbacks } from '#gateway/callbacks.ts'
import { type Faults, NO_FAULTS, type ShareName, shareOf } from '#gateway/faults.ts'
import { GateError } from '#gateway/gate-error.ts'
import type { Operation, Payment, Wait } from '#gateway/payment.ts'
import { finishRefund } from '#gateway/refund.ts'
import { armTimeout, confirmFunds, declineIfLate, goOn } from '#gateway/sale.ts'
import type { SandboxSettings } from '#settings.ts'
import type { StepName } from '#steps/step.ts'

/** What the calls share: the books, the way out for callbacks, and everything that happens later. */
export class Gateway {
  readonly settings: SandboxSettings
  readonly faults: Faults = { ...NO_FAULTS }
  readonly draws = new Draws()
  /** How often each fault has struck. */
  readonly struck = new Map<string, number>()
  readonly books: Books
  readonly delays: Delays = startDelays()
  readonly waitTimers = new Map<string, () => void>()
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

  /** Takes up what a former run left: undelivered callbacks, undecided payments, customers at their bank. */
  resume(): void {
    this.callbacks.resume()
    for (const payment of this.books.all()) {
      if (payment.wait) armTimeout(this, payment)
      if (payment.status === 'awaiting confirmation') this.later(() => confirmFunds(this, payment))
      for (const operation of payment.operations) {
        if (operation.status !== 'processing') continue
        this.later(() =>
          operation.type === 'sale' ? goOn(this, payment) : finishRefund(this, payment, operation),
        )
      }
    }
  }

  getPayment(id: string): Payment {
    const payment = this.books.find(id)
    if (!payment) throw new GateError(400, '3061')
    return payment
  }

  /** A payment that waits, for just that if it is named. */
  getWaiting(id: string, step?: StepName): Payment & { wait: Wait } {
    const payment = this.getPayment(id)
    declineIfLate(this, payment)
    const isWaiting = payment.wait && (!step || payment.wait.step === step)
    if (!isWaiting) throw new GateError(400, '3060')
    return payment as Payment & { wait: Wait }
  }

  countFault(name: string): void {
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1)
  }

  /** Whether a fault that belongs to the whole payment strikes this one. */
  isStruck(paymentId: string, fault: ShareName): boolean {
    return this.draws.forPayment(paymentId)(fault) < shareOf(this.faults[fault])
  }

  nextOperationId(): number {
    this.lastOperationId += 1
    return this.lastOperationId
  }

  /** Does what follows an accepted request: the answer goes out first, the callback after the set delay. */
  later(work: () => void): void {
    this.delays.after(this.faults.callbackDelayMs ?? this.settings.callbackDelayMs, work)
  }

  /** Writes the new state down and tells the merchant. */
  publish(payment: Payment, operation: Operation): void {
    payment.updatedAt = operation.updatedAt
    this.books.save(payment)
    tellMerchant(this, this.callbacks, payment, operation)
  }

  async close(): Promise<void> {
    this.delays.close()
    this.sender.close()
    await this.books.close()
  }
}
