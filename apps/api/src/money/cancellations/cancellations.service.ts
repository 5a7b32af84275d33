import type { Cancellation, CancelPaymentRequest } from '@hedgerow/contract/cancellations'
import { toMinor } from '@hedgerow/domain/money'
import { presentCancelled, presentPreview } from '#money/cancellations/cancellations.present.ts'
import {
  findPaymentToCancel,
  lockPaymentToCancel,
  markCancelled,
  type PaymentToCancel,
} from '#money/cancellations/cancellations.queries.ts'
import { agreeOnRefund, judgeCancellation } from '#money/cancellations/judge-cancellation.ts'
import { type Approve, recordRefund, replaceRefused } from '#money/refunds/refunds.service.ts'
import { askAgain, asksPassword } from '#people/accounts/ask-again.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import type { Caller } from '#people/sessions/recent-proof.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { changeEndsOf, foreseeEnds, lockBoughtBy } from '#sales/renewals/change-ends.ts'
import { listBoughtBy } from '#sales/renewals/renewals.service.ts'

type Deps = With<'db'>

/** Throws 'payment-not-found', also when it is another customer's. */
const ownPayment = async (db: Db, customerId: string, paymentId: string): Promise<PaymentToCancel> => {
  const row = await findPaymentToCancel(db, paymentId)
  if (row?.customer_id !== customerId) throw new Problem('payment-not-found')
  return row
}

/** What cancelling it now would come to. Throws 'payment-not-found', and 'cancellation-refused' with the reason. */
export const previewCancellation = async (
  { db }: Deps,
  caller: Caller,
  paymentId: string,
): Promise<Cancellation> => {
  const row = await ownPayment(db, caller.customerId, paymentId)
  const terms = await judgeCancellation(db, row, row.now)
  const ends = await foreseeEnds(db, paymentId, row.now, row.now)
  return { ...presentPreview(row, terms, ends), asksPassword: await asksPassword({ db }, caller) }
}

type Wish = {
  paymentId: string
  /** Whose it has to be, where a customer asks. */
  customerId?: string
  /** The sum that was shown. */
  shownMinor?: number | undefined
  /** When it was said, where that was before. */
  askedAt?: Date | undefined
  isLateAllowed?: boolean
}

/** When it was said: after it was paid, and not later than now. */
const timeOf = ({ now, ended_at }: PaymentToCancel, askedAt: Date | undefined): Date => {
  if (!askedAt) return now
  if (askedAt > now) throw new Problem('cancellation-refused', { detail: 'That time is yet to come.' })
  if (ended_at && askedAt < ended_at)
    throw new Problem('cancellation-refused', { detail: 'The payment was made after that time.' })
  return askedAt
}

/** The refunds that the gateway refused before are not among what was given back, so that this one is in their place. */
const giveBackUnused = async (trx: Trx, row: PaymentToCancel, refundMinor: number): Promise<string> => {
  await replaceRefused(trx, row.id, refundMinor)
  return recordRefund(trx, row, refundMinor, 'cancelled')
}

/** What an operator would give back by cancelling. */
export type CancellationIsPossible = {
  customerId: string
  paidAt: Date | null
  /** As of when it is counted what was used. */
  at: Date
  amountMinor: number
  currency: string
}

/**
 * Cancels a purchase, once: what it bought ends, what was not used goes back, and a mail says so. False when it was
 * cancelled before. The order is locked first, then the payment, then the connections, as by everyone who locks them.
 */
const cancel = (
  { db }: Deps,
  { paymentId, customerId, shownMinor, askedAt, isLateAllowed }: Wish,
  { also, approve }: { also?: (trx: Trx) => Promise<void>; approve?: Approve<CancellationIsPossible> } = {},
) =>
  db.transaction().execute(async (trx): Promise<boolean> => {
    const row = await lockPaymentToCancel(trx, paymentId)
    if (!row?.customer_id || row.customer_id !== (customerId ?? row.customer_id))
      throw new Problem('payment-not-found')
    if (row.cancelled_at) return false
    await lockBoughtBy(trx, paymentId)
    const at = timeOf(row, askedAt)
    const terms = await judgeCancellation(trx, row, at, isLateAllowed)
    const refundMinor = await agreeOnRefund(trx, row, terms, { at, shownMinor })
    const count = await approve?.(trx, {
      customerId: row.customer_id,
      paidAt: row.ended_at,
      at,
      amountMinor: refundMinor,
      currency: row.charged_currency,
    })
    await markCancelled(trx, paymentId, at, refundMinor)
    if (refundMinor > 0) {
      const refundId = await giveBackUnused(trx, row, refundMinor)
      await count?.(trx, refundId)
    }
    await changeEndsOf(trx, paymentId)
    await addJob(trx, 'mail-cancellation', { paymentId })
    await also?.(trx)
    return true
  })

/** What it came to. */
const showCancelled = async (db: Db, paymentId: string): Promise<Cancellation> => {
  const row = await findPaymentToCancel(db, paymentId)
  if (!row) throw new Problem('payment-not-found')
  return presentCancelled(row, await listBoughtBy(db, paymentId))
}

/**
 * On its customer's word, who shows the password or has just logged in. The same said again is answered as the first time.
 * Throws 'payment-not-found', 'invalid' for the password, and 'cancellation-refused' with the reason.
 */
export const cancelPayment = async (
  deps: With<'db' | 'log' | 'meters' | 'rateCounter'>,
  caller: Caller,
  paymentId: string,
  { refund, password }: CancelPaymentRequest,
): Promise<Cancellation> => {
  const { customerId } = caller
  await ownPayment(deps.db, customerId, paymentId)
  await askAgain(deps, caller, password)
  const shownMinor = refund === undefined ? undefined : toMinor(refund)
  const { log, meters } = deps
  await cancel(
    deps,
    { paymentId, customerId, shownMinor },
    { also: (trx) => recordEvent({ db: trx, log, meters }, customerId, 'purchase-cancelled') },
  )
  return showCancelled(deps.db, paymentId)
}

type OperatorWish = Pick<Wish, 'paymentId' | 'askedAt' | 'isLateAllowed'>

/** The same for the operator: what it would come to, or came to where it was cancelled before. Throws the same. */
export const previewForOperator = async (
  { db }: Deps,
  { paymentId, askedAt, isLateAllowed }: OperatorWish,
): Promise<Cancellation> => {
  const row = await findPaymentToCancel(db, paymentId)
  if (!row?.customer_id) throw new Problem('payment-not-found')
  if (row.cancelled_at) return showCancelled(db, paymentId)
  const at = timeOf(row, askedAt)
  const terms = await judgeCancellation(db, row, at, isLateAllowed)
  return { ...presentPreview(row, terms, await foreseeEnds(db, paymentId, at, row.now)), asksPassword: false }
}

/** Cancels for a customer who asked the operator to, as of the time when they asked. `approve`: whether the operator may. */
export const cancelForCustomer = async (
  { db }: Deps,
  wish: OperatorWish,
  approve?: Approve<CancellationIsPossible>,
): Promise<{ isNew: boolean; cancellation: Cancellation }> => {
  const isNew = await cancel({ db }, wish, approve ? { approve } : {})
  return { isNew, cancellation: await showCancelled(db, wish.paymentId) }
}
