import { formatCharged } from '@hedgerow/domain/exchange'
import { isRefundClaimed } from '@hedgerow/domain/payment-methods'
import { PARTIALLY_PAID } from '@hedgerow/domain/payment-status'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { PaymentRow } from '#platform/database/tables/payments.table.ts'

type Row = Pick<
  PaymentRow,
  'method' | 'gate_status' | 'charged_minor' | 'charged_currency' | 'received_minor' | 'received_currency'
>

/** How it comes back. */
const wayBack = ({ method }: Row): string =>
  isRefundClaimed(method) ? 'we will email you a link to claim it back' : 'goes back the way it came'

/** What the customer reads where money came that bought nothing; undefined where none came. */
export const chargedReason = (row: Row): string | undefined => {
  if (row.received_minor !== null) {
    const { minor, currency } = paidSum(row)
    const asked = formatCharged(row.charged_minor, row.charged_currency)
    return `${formatCharged(minor, currency)} arrived instead of ${asked}. It bought nothing, and ${wayBack(row)}.`
  }
  if (row.gate_status !== PARTIALLY_PAID) return undefined
  return `Only part of the amount arrived. It bought nothing, and ${wayBack(row)}.`
}
