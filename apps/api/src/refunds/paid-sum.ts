import type { PaymentRow } from '#database/tables/payments.table.ts'

type Sums = Pick<PaymentRow, 'charged_minor' | 'charged_currency' | 'received_minor' | 'received_currency'>

/** What came of a payment: what was charged, or what came in its place. */
export const paidSum = (row: Sums): { minor: number; currency: string } =>
  row.received_minor === null || row.received_currency === null
    ? { minor: row.charged_minor, currency: row.charged_currency }
    : { minor: row.received_minor, currency: row.received_currency }

/** Whether money came of it that can be given back. */
export const hasMoney = ({
  status,
  received_minor,
}: Pick<PaymentRow, 'status' | 'received_minor'>): boolean => status === 'Success' || received_minor !== null
