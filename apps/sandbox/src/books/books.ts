import type { Booking } from '#books/bookings.ts'
import { paymentFromEarlier } from '#books/earlier-books.ts'
import { noJournal, openJournal, readJournal } from '#journal.ts'
import { isUnfinished, type Payment } from '#payments/payment.ts'

export type PendingCallback = { id: string; paymentId: string; url: string; text: string }

type Line =
  | { kind: 'payment'; payment: Payment }
  | { kind: 'callback'; callback: PendingCallback }
  | { kind: 'callback-ended'; id: string; paymentId: string; tally: Payment['callbacks'] }
  | { kind: 'booking'; booking: Booking }

const MOST_PAYMENTS = 50_000
const MOST_BOOKINGS = 50_000
/** How far to look for a finished payment to forget; beyond it, the oldest goes whatever its state. */
const LOOK_AHEAD = 1_000

/** All payments by their id, oldest first, and the callbacks still owed. */
export type Books = {
  readonly size: number
  readonly pendingCallbacks: ReadonlyMap<string, PendingCallback>
  /** What was booked besides the payments, in the order in which it was. */
  readonly bookings: readonly Booking[]
  find(id: string): Payment | undefined
  all(): MapIterator<Payment>
  /** The newest first; with an id, only those older than that payment. */
  newest(count: number, before?: string): Payment[]
  /** Taken in as the newest, in place of a former payment of that id if there is one. */
  add(payment: Payment): void
  save(payment: Payment): void
  /** In place of a former one of its id, if there is one. False where there are too many already. */
  book(booking: Booking): boolean
  callbackOwed(callback: PendingCallback): void
  callbackEnded(callback: PendingCallback): void
  close(): Promise<void>
}

/** What the books hold in memory, and what a former run's lines make of it. */
const createLedger = () => {
  const payments = new Map<string, Payment>()
  const pendingCallbacks = new Map<string, PendingCallback>()
  const bookings = new Map<number, Booking>()

  const forgetOne = (): void => {
    let looked = 0
    let [victim] = payments.keys()
    for (const payment of payments.values()) {
      if (isUnfinished(payment) && ++looked < LOOK_AHEAD) continue
      if (looked < LOOK_AHEAD) victim = payment.id
      break
    }
    if (victim !== undefined) payments.delete(victim)
  }

  const put = (payment: Payment): void => {
    payments.set(payment.id, payment)
    if (payments.size > MOST_PAYMENTS) forgetOne()
  }

  const replay = (line: Line): void => {
    if (line.kind === 'payment') {
      put(paymentFromEarlier(line.payment))
    } else if (line.kind === 'callback') {
      pendingCallbacks.set(line.callback.id, line.callback)
    } else if (line.kind === 'booking') {
      bookings.set(line.booking.id, line.booking)
    } else {
      pendingCallbacks.delete(line.id)
      const payment = payments.get(line.paymentId)
      if (payment) payment.callbacks = line.tally
    }
  }

  const lines = function* (): Generator<Line> {
    for (const payment of payments.values()) yield { kind: 'payment', payment }
    for (const callback of pendingCallbacks.values()) yield { kind: 'callback', callback }
    for (const booking of bookings.values()) yield { kind: 'booking', booking }
  }

  return { payments, pendingCallbacks, bookings, put, replay, lines }
}

/** Without a file, in memory only. */
export const createBooks = (file: string | undefined): Books => {
  const { payments, pendingCallbacks, bookings, put, replay, lines } = createLedger()
  if (file) for (const line of readJournal<Line>(file)) replay(line)
  const journal = file ? openJournal(file, lines()) : noJournal
  const write = (line: Line): void => journal.append(line)
  const save = (payment: Payment): void => write({ kind: 'payment', payment })

  return {
    pendingCallbacks,
    get bookings() {
      return [...bookings.values()]
    },
    get size() {
      return payments.size
    },
    find: (id) => payments.get(id),
    all: () => payments.values(),
    newest: (count, before) => {
      const all = [...payments.values()]
      const end = before === undefined ? all.length : all.findLastIndex(({ id }) => id === before)
      return all.slice(Math.max(end - count, 0), Math.max(end, 0)).reverse()
    },
    add: (payment) => {
      payments.delete(payment.id)
      put(payment)
      save(payment)
    },
    save,
    book: (booking) => {
      if (!bookings.has(booking.id) && bookings.size >= MOST_BOOKINGS) return false
      bookings.set(booking.id, booking)
      write({ kind: 'booking', booking })
      return true
    },
    callbackOwed: (callback) => {
      pendingCallbacks.set(callback.id, callback)
      write({ kind: 'callback', callback })
    },
    callbackEnded: ({ id, paymentId }) => {
      pendingCallbacks.delete(id)
      const tally = payments.get(paymentId)?.callbacks ?? { tried: 0, delivered: 0 }
      write({ kind: 'callback-ended', id, paymentId, tally })
    },
    close: () => journal.close(),
  }
}
