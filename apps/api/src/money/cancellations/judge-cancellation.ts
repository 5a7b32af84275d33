import { cancellableUntil, refundFor, type Use } from '@hedgerow/domain/cancellations'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import type { PaymentToCancel } from '#money/cancellations/cancellations.queries.ts'
import { goesBack, listRefunds, type RefundRow } from '#money/refunds/refunds.queries.ts'
import type { Db } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'
import { measureUse } from '#sales/renewals/change-ends.ts'

/** What cancelling comes to. */
export type Terms = { until: Date; refundMinor: number }

/** Beside it, what has gone back before. */
type Judged = Terms & { givenMinor: number }

/** So long someone may read what cancelling comes to: a large purchase loses a cent a minute meanwhile. */
const SHOWN_FOR_MS = 15 * 60_000

const refuse = (detail: string): never => {
  throw new Problem('cancellation-refused', { detail })
}

const checkPayment = (row: PaymentToCancel): Date => {
  if (row.status !== 'Success' || !row.ended_at)
    return refuse('This payment did not go through, so there is nothing to cancel.')
  if (row.refund_due) return refuse('This payment bought nothing. The money is already on its way back.')
  if (row.cancelled_at) return refuse(`This purchase was cancelled on ${formatUkTime(row.cancelled_at)}.`)
  if (row.disputed_minor > 0)
    return refuse(
      'Your bank has asked us for this money back, and holds it until that is decided. It cannot go back twice, so this cannot be cancelled here now. Write to us if you want to cancel. What counts is when you tell us.',
    )
  return cancellableUntil(row.ended_at)
}

const checkRefunds = ({ charged_minor }: PaymentToCancel, refunds: readonly RefundRow[]): number => {
  const standing = refunds.filter(goesBack)
  const given = standing.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  if (given >= charged_minor) return refuse('All of this payment has been refunded, or is on its way back.')
  if (standing.some(({ status }) => status === 'Pending'))
    return refuse(
      'A refund of this payment is under way. Cancel once it has finished, or write to us now. What counts is when you tell us.',
    )
  return given
}

const checkUse = ({ used, bought }: Use): void => {
  if (used >= bought)
    refuse('All of it has been used, so there is nothing left to cancel and nothing to refund.')
}

/**
 * What cancelling it, as of some time, would come to. Throws 'cancellation-refused' with the reason. `isLateAllowed`: the
 * shop goes beyond the days in which it has to.
 */
export const judgeCancellation = async (
  db: Db,
  row: PaymentToCancel,
  at: Date,
  isLateAllowed = false,
): Promise<Judged> => {
  const until = checkPayment(row)
  const given = checkRefunds(row, await listRefunds(db, [row.id]))
  if (at > until && !isLateAllowed)
    refuse(`The 14 days in which this could be cancelled ended on ${formatDate(until)} (UK time).`)
  const use = await measureUse(db, row, at)
  checkUse(use)
  return { until, refundMinor: refundFor(row.charged_minor, given, use), givenMinor: given }
}

/**
 * The sum of now: what was used since another was shown is counted. Throws 'cancellation-refused' with it where the sum
 * that was shown has not been right within the last 15 minutes.
 */
export const agreeOnRefund = async (
  db: Db,
  row: PaymentToCancel,
  { refundMinor, givenMinor }: Judged,
  { at, shownMinor = refundMinor }: { at: Date; shownMinor?: number | undefined },
): Promise<number> => {
  if (shownMinor === refundMinor) return refundMinor
  const useBefore = await measureUse(db, row, new Date(at.getTime() - SHOWN_FOR_MS))
  const highestMinor = refundFor(row.charged_minor, givenMinor, useBefore)
  if (shownMinor > refundMinor && shownMinor <= highestMinor) return refundMinor
  return refuse(
    `The refund is ${formatCharged(refundMinor, row.charged_currency)} by now. Please check it. Nothing was cancelled.`,
  )
}
