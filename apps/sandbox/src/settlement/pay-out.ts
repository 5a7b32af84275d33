import type { Booking } from '#books/bookings.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { TRANSFER_FEE } from '#settlement/fees.ts'
import { balancesBefore } from '#settlement/operations.ts'

/** Sends the whole of each balance to the bank, less the fee of the transfer. What would not pay for that stays. */
export const payOut = (gateway: Gateway, now = Date.now()): Booking[] => {
  const paid: Booking[] = []
  for (const [currency, balance] of balancesBefore(gateway.books, Infinity)) {
    if (balance <= TRANSFER_FEE) continue
    const booking: Booking = {
      id: gateway.nextOperationId(),
      type: 'funds transfer',
      amount: balance - TRANSFER_FEE,
      currency,
      fee: TRANSFER_FEE,
      description: 'To the bank',
      createdAt: now,
    }
    if (gateway.books.book(booking)) paid.push(booking)
  }
  return paid
}
