import type { BookingSource } from '#accounting/settlement/booking-source.ts'
import { btcpayBookings } from '#accounting/settlement/btcpay-bookings.ts'
import { gateBookings } from '#accounting/settlement/gate-bookings.ts'
import { stripeBookings } from '#accounting/settlement/stripe-bookings.ts'
import type { Settings } from '#platform/settings.ts'

/** Of all gateways that the shop has the keys of. */
export const bookingSources = ({
  gate,
  dataApi,
  stripe,
  btcpay,
}: Pick<Settings, 'gate' | 'dataApi' | 'stripe' | 'btcpay'>): BookingSource[] => [
  ...(gate && dataApi ? [gateBookings(dataApi, gate.projectId)] : []),
  ...(stripe ? [stripeBookings(stripe)] : []),
  ...(btcpay ? [btcpayBookings(btcpay)] : []),
]
