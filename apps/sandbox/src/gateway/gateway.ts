import { join } from 'node:path'
import { type Books, createBooks } from '#books/books.ts'
import { startCallbackSender } from '#callbacks/callback-sender.ts'
import { type Callbacks, createCallbacks } from '#callbacks/callbacks.ts'
import { sendCallbacks } from '#callbacks/send-callbacks.ts'
import { type Delays, startDelays } from '#delays.ts'
import { createFaultInjector, type FaultInjector } from '#faults/fault-injector.ts'
import { GateError } from '#payments/gate-error.ts'
import type { Operation, Payment } from '#payments/payment.ts'
import type { SandboxSettings } from '#settings.ts'

/** What the calls share: the books, the way out for callbacks, and everything that happens later. */
export type Gateway = {
  readonly settings: SandboxSettings
  readonly faults: FaultInjector
  readonly books: Books
  readonly callbacks: Callbacks
  readonly delays: Delays
  /** What calls off the timeout of each payment that waits. */
  readonly waitTimers: Map<string, () => void>
  /** Known once the server listens. */
  publicUrl: string
  getPayment(id: string): Payment
  nextOperationId(): number
  /** Does what follows an accepted request: the answer goes out first, the callback after the set delay. */
  later(work: () => void): void
  /** Writes the new state down and sends the merchant its callbacks. */
  publish(payment: Payment, operation: Operation): void
  close(): Promise<void>
}

export const createGateway = (settings: SandboxSettings): Gateway => {
  const faults = createFaultInjector()
  const books = createBooks(settings.dataDir && join(settings.dataDir, 'books.jsonl'))
  const delays = startDelays()
  const sender = startCallbackSender()
  const callbacks = createCallbacks({ books, delays, sender, retryScale: settings.retryScale })
  const later = (work: () => void): void => {
    delays.after(faults.switches.callbackDelayMs ?? settings.callbackDelayMs, work)
  }
  let lastOperationId = Date.now() * 1_000
  return {
    settings,
    faults,
    books,
    callbacks,
    delays,
    waitTimers: new Map(),
    publicUrl: '',
    getPayment: (id) => {
      const payment = books.find(id)
      if (!payment) throw new GateError(400, '3061')
      return payment
    },
    nextOperationId: () => {
      lastOperationId += 1
      return lastOperationId
    },
    later,
    publish: (payment, operation) => {
      payment.updatedAt = operation.updatedAt
      books.save(payment)
      sendCallbacks({ callbacks, faults, signer: settings, later }, payment, operation)
    },
    close: async () => {
      delays.close()
      sender.close()
      await books.close()
    },
  }
}
