import { NICENESS } from '../../apps/api/src/platform/thread-priorities.ts'
import { BUYING } from './assumptions.ts'
import type { Clock, Steps } from './clock.ts'
import type { Gateway } from './gateway-model.ts'
import type { Layout } from './layout.ts'
import { type CallName, type Cost, type Measured, scaled } from './measured.ts'
import { Cores, Thread, Turns } from './resources.ts'

/** A pool of 20, of which each of five lanes of jobs keeps one (apps/api/src/platform/database/client.ts). */
const POOL = 20 - 5
/** So long is a turn in the pool waited for, and a database that is away (apps/api/src/platform/database/shop-pool.ts). */
const TURN_WITHIN_MS = 10_000
const PATIENCE_MS = 4_000
/** Hashes at once and waiting (apps/api/src/people/passwords/passwords.ts). */
const HASHES = { atOnce: 2, waiting: 100 }
/** Workers for mails in each process (apps/api/src/jobs/worker.ts). */
export const MAILS_AT_ONCE = 2
/** From the end of one run of issue-invoices to the next (apps/api/src/jobs/recurring-jobs.ts). */
const INVOICES_EVERY_MS = 5_000
/** Assumed: processor time of a process for a notification that it hears. */
const HEARD_MS = 0.02

type Process = {
  cores: Cores
  thread: Thread
  pool: Turns
  hashes: Turns
  documents: Turns
  mailsUnderWay: number
}

/** A payment, for those who wait for it. */
export type Payment = { isSuccess: boolean; readyAt: number }

type Kind = 'read' | 'write' | 'notify'

/** What became of a call: false is a 503. */
export type Answered = boolean

export class ShopModel {
  readonly clock: Clock
  readonly database: Cores
  readonly processes: readonly Process[]
  readonly machines: readonly Cores[]
  readonly #costs: Measured['calls']
  readonly #files: number
  readonly #layout: Layout
  readonly #gateway: Gateway
  /** PostgreSQL lets one notifying transaction end after the other. */
  readonly notifying: Turns
  receiptsWaiting = 0
  receiptsSent = 0
  refused = 0
  #notInvoiced = 0
  #turn = 0
  #awayUntil = 0

  constructor(clock: Clock, measured: Measured, layout: Layout, gateway: Gateway, rivals = 0) {
    this.clock = clock
    this.notifying = new Turns(clock, 1)
    this.#costs = measured.calls
    this.#files = measured.filesOfPage
    this.#layout = layout
    this.#gateway = gateway
    const machine = () => new Cores(clock, layout.cores, rivals)
    const machines = Array.from({ length: layout.machines }, machine)
    this.machines = machines
    this.database = layout.hasOwnDatabase ? machine() : (machines[0] as Cores)
    this.processes = Array.from({ length: layout.processes }, (_, index) => {
      const cores = machines[index % machines.length] as Cores
      return {
        cores,
        thread: new Thread(clock, cores),
        pool: new Turns(clock, POOL),
        hashes: new Turns(clock, HASHES.atOnce, HASHES.waiting),
        documents: new Turns(clock, 1),
        mailsUnderWay: 0,
      }
    })
    clock.start(this.#issueInvoices())
  }

  /** The database takes nothing for so long: a stall, or another server on its way to lead. */
  stall(ms: number): void {
    this.#awayUntil = this.clock.now + ms
  }

  *page(isFirst: boolean): Steps<Answered> {
    const { page, file } = this.#costs
    const process = this.#next()
    yield* this.#work(process, page, [])
    if (isFirst && !this.#layout.servesFiles) yield* this.#work(process, scaled(file, this.#files), [])
    return true
  }

  list(): Steps<Answered> {
    return this.#call('list', ['read'])
  }
  profile(): Steps<Answered> {
    return this.#call('profile', ['read', 'read'])
  }
  history(): Steps<Answered> {
    return this.#call('history', ['read'])
  }
  order(): Steps<Answered> {
    return this.#call('order', ['write'], 2)
  }
  agentPoll(): Steps<Answered> {
    return this.#call('agentPoll', ['read', 'write'])
  }

  /** While nothing can be heard of changes, nothing is remembered, and each asks the database. */
  poll(): Steps<Answered> {
    return this.#call('poll', this.clock.now < this.#awayUntil ? ['read'] : [])
  }

  *logIn(): Steps<Answered> {
    const { threads, ...others } = this.#costs.logIn
    const process = this.#next()
    if (process.hashes.isFull()) return this.#refuse()
    yield process.hashes.take
    yield process.cores.use(threads, NICENESS.passwords)
    process.hashes.giveBack()
    return yield* this.#work(process, { ...others, threads: 0 }, ['read', 'write'], 3)
  }

  /** Records the attempt and sends the sale; the outcome comes by itself. Undefined: refused, and nothing was recorded. */
  *pay(): Steps<Payment | undefined> {
    if (!(yield* this.#call('pay', ['write'], 2))) return undefined
    const payment: Payment = { isSuccess: false, readyAt: Number.POSITIVE_INFINITY }
    this.clock.start(
      this.#gateway.follow(
        payment,
        () => this.#outcome(payment),
        () => this.#call('history', ['read']),
      ),
    )
    yield* this.#gateway.sale(payment)
    return payment
  }

  *#outcome(payment: Payment): Steps {
    // A callback that is answered by 503 comes again.
    while (!(yield* this.#call('outcome', ['read', 'notify']))) yield this.clock.pause(PATIENCE_MS)
    if (payment.isSuccess) return
    payment.isSuccess = true
    this.#notInvoiced++
    if (this.#layout.inProduction)
      yield* this.#work(this.#next(), scaled(this.#costs.agentPeer, BUYING.connections), ['read'])
  }

  *#call(name: CallName, statements: Kind[], limits = 0): Steps<Answered> {
    return yield* this.#work(this.#next(), this.#costs[name], statements, limits)
  }

  /** Node.js and PostgreSQL by turns, each with an equal part of what the call costs. */
  *#work(process: Process, cost: Cost, statements: Kind[], limits = 0): Steps<Answered> {
    const { limit } = this.#costs
    if (this.#layout.inProduction)
      for (let one = 0; one < limits; one++) {
        yield process.thread.run(limit.main)
        if (!(yield* this.#statement(process, limit.database, 'read'))) return this.#refuse()
      }
    if (cost.threads > 0) process.cores.use(cost.threads)(() => undefined)
    const part = cost.main / (statements.length + 1)
    yield process.thread.run(part)
    for (const kind of statements) {
      if (!(yield* this.#statement(process, cost.database / statements.length, kind))) return this.#refuse()
      yield process.thread.run(part)
    }
    return true
  }

  *#statement(process: Process, ms: number, kind: Kind): Steps<Answered> {
    const { clock } = this
    const askedAt = clock.now
    yield process.pool.take
    const awayMs = this.#awayUntil - clock.now
    if (awayMs > 0) yield clock.pause(Math.min(awayMs, PATIENCE_MS))
    if (awayMs > PATIENCE_MS || clock.now - askedAt > TURN_WITHIN_MS) {
      process.pool.giveBack()
      return false
    }
    yield clock.pause(this.#layout.networkMs)
    yield this.database.use(ms)
    if (kind === 'write') yield clock.pause(this.#layout.commitMs)
    if (kind === 'notify') {
      yield this.notifying.take
      yield clock.pause(this.#layout.commitMs)
      this.notifying.giveBack()
      for (const { thread } of this.processes) thread.run(HEARD_MS)(() => undefined)
    }
    process.pool.giveBack()
    return true
  }

  *#issueInvoices(): Steps {
    // Nobody knows how far the last run is away.
    yield this.clock.pause(INVOICES_EVERY_MS / 2)
    for (; ; yield this.clock.pause(INVOICES_EVERY_MS)) {
      this.receiptsWaiting += this.#notInvoiced
      this.#notInvoiced = 0
      for (const process of this.processes)
        while (process.mailsUnderWay < MAILS_AT_ONCE && process.mailsUnderWay < this.receiptsWaiting) {
          process.mailsUnderWay++
          this.clock.start(this.#sendReceipts(process), () => process.mailsUnderWay--)
        }
    }
  }

  *#sendReceipts(process: Process): Steps {
    const { receipt } = this.#costs
    while (this.receiptsWaiting > 0) {
      this.receiptsWaiting--
      yield process.documents.take
      yield process.cores.use(receipt.documents, NICENESS.documents)
      process.documents.giveBack()
      yield* this.#gateway.mail(receipt.gateway)
      if (yield* this.#work(process, receipt, ['read', 'write'])) this.receiptsSent++
      else this.receiptsWaiting++
    }
  }

  #next(): Process {
    return this.processes[this.#turn++ % this.processes.length] as Process
  }

  #refuse(): false {
    this.refused++
    return false
  }
}
