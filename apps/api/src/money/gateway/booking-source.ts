import type { GatewayName } from '@hedgerow/domain/gateways'
import type { ReadOperation } from '#money/gateway/reported-operation.ts'

export type Period = { from: Date; to: Date }

/** `next`: where the page after it begins; undefined where this one is the last. */
export type BookingsPage = { rows: ReadOperation[]; next: string | undefined }

export type ReportedBalance = { currency: string; at: Date; minor: number }

/** Where a gateway tells what it has booked. Both throw DataFault where it gives no answer that can be used. */
export type BookingSource = {
  gateway: GatewayName
  /** `after`: where a page said that the next begins; undefined for the first. */
  page: (period: Period, after: string | undefined) => Promise<BookingsPage>
  /** At both ends of the period; undefined where it does not tell. */
  balances?: (period: Period) => Promise<ReportedBalance[] | undefined>
}
