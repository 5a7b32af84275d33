import { BOOKING_TYPES, type Booking, type BookingType } from '#books/bookings.ts'
import { timeOf } from '#settlement/date-operations.ts'

const MOST_MINOR = 1_000_000_000_000

const isType = (value: unknown): value is BookingType => BOOKING_TYPES.some((type) => type === value)

const isSigned = (type: BookingType) => type === 'balance correction' || type === 'currency exchange'

const wholeIn = (value: unknown, least: number): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= MOST_MINOR
    ? number
    : undefined
}

/** From JSON or the form: a booking that only the gateway knows, or what is wrong with it. `at` is an ISO time. */
export const readBooking = (body: unknown, id: number): Booking | string => {
  if (typeof body !== 'object' || body === null) return 'the body must be an object'
  const { type, amount, currency, fee, payment_id, description, at } = body as Record<string, unknown>
  if (!isType(type)) return `type must be one of: ${BOOKING_TYPES.join(', ')}`
  const minor = wholeIn(amount, isSigned(type) ? -MOST_MINOR : 1)
  if (minor === undefined) return 'amount must be a whole number of minor units'
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'currency must be three letters'
  const taken = fee === undefined ? 0 : wholeIn(fee, -MOST_MINOR)
  if (taken === undefined) return 'fee must be a whole number of minor units'
  if (payment_id !== undefined && (typeof payment_id !== 'string' || payment_id.length > 255))
    return 'payment_id must be a text'
  if (description !== undefined && (typeof description !== 'string' || description.length > 255))
    return 'description must be a text'
  const createdAt = at === undefined ? Date.now() : timeOf(at)
  if (Number.isNaN(createdAt)) return 'at must be a time'
  return {
    id,
    type,
    amount: minor,
    currency,
    fee: taken,
    ...(payment_id ? { paymentId: payment_id } : {}),
    description: description ?? '',
    createdAt,
  }
}
