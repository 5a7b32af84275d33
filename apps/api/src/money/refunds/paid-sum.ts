import { sql } from 'kysely'
import type { PaymentRow } from '#platform/database/tables/payments.table.ts'

type Sums = Pick<PaymentRow, 'charged_minor' | 'charged_currency' | 'received_minor' | 'received_currency'>

/** The sum of a payment: what was charged, or what was received instead. */
export const paidSum = (row: Sums): { minor: number; currency: string } =>
  row.received_minor === null || row.received_currency === null
    ? { minor: row.charged_minor, currency: row.charged_currency }
    : { minor: row.received_minor, currency: row.received_currency }

/** The same in a statement, beside a row of `payments`. */
export const PAID_MINOR = sql<number>`coalesce(payments.received_minor, payments.charged_minor)`
export const PAID_CURRENCY = sql<string>`coalesce(payments.received_currency, payments.charged_currency)`

/** What is not refunded yet. */
export const leftOf = (row: Sums & Pick<PaymentRow, 'refunded_minor'>): number =>
  paidSum(row).minor - row.refunded_minor

/** What can be refunded: an open dispute holds its money, which the gateway has taken already. */
export const freeOf = (row: Sums & Pick<PaymentRow, 'refunded_minor' | 'disputed_minor'>): number =>
  Math.max(0, leftOf(row) - row.disputed_minor)

/** Whether there is money that can be refunded. */
export const hasMoney = ({
  status,
  received_minor,
}: Pick<PaymentRow, 'status' | 'received_minor'>): boolean => status === 'Success' || received_minor !== null
