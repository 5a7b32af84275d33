export const BOOKING_TYPES = [
  'sale',
  'refund',
  'chargeback',
  'representment',
  'funds transfer',
  'balance correction',
  'currency exchange',
  'service fee',
  'reserve',
  'reserve release',
] as const
export type BookingType = (typeof BOOKING_TYPES)[number]

/** Something that is on the merchant's balance without a payment's own operation: payouts, corrections, chargebacks, reserves. */
export type Booking = {
  id: number
  type: BookingType
  /** In minor units. Only corrections and exchanges have a sign; the type says where all others go. */
  amount: number
  currency: string
  /** What is taken besides, in minor units of the same currency. */
  fee: number
  paymentId?: string | undefined
  description: string
  createdAt: number
}

/** What a booking of the type does to the balance. */
export const directionOf = (type: BookingType): 1 | -1 =>
  ['refund', 'chargeback', 'funds transfer', 'service fee', 'reserve'].includes(type) ? -1 : 1
