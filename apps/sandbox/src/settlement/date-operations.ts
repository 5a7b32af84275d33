import type { Books } from '#books/books.ts'
import { saleOf } from '#payments/payment.ts'

/** Times in milliseconds, by the ids of operations. */
export type OperationTimes = ReadonlyMap<number, number>

/** In milliseconds; NaN where it is none. Lists in lists without end are no text that could be made of them. */
export const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

/** `{ "1764…": "2026-10-31T23:59:59Z" }`; undefined where it is anything else. */
export const readTimes = (body: unknown): OperationTimes | undefined => {
  if (typeof body !== 'object' || body === null) return undefined
  const times = Object.entries(body).map(([id, at]) => [Number(id), timeOf(at)] as const)
  return times.flat().some(Number.isNaN) ? undefined : new Map(times)
}

/** Has operations happen at other times than they did: a test lives a month of the books in a few seconds. */
export const dateOperations = (books: Books, times: OperationTimes): void => {
  for (const payment of books.all()) {
    const sale = saleOf(payment)
    let isDated = false
    for (const operation of payment.operations) {
      // What was promised and confirmed later is reported as one sale.
      const at = times.get(operation.type === 'payment confirmation' ? sale.id : operation.id)
      if (at === undefined) continue
      operation.createdAt = at
      operation.updatedAt = at
      isDated = true
    }
    if (isDated) books.save(payment)
  }
  for (const booking of books.bookings) {
    const at = times.get(booking.id)
    if (at !== undefined) books.book({ ...booking, createdAt: at })
  }
}
