import { canTransitionRefund, REFUND_STATUSES, type RefundStatus } from '@hedgerow/domain/refund-status'
import { type Selectable, sql } from 'kysely'
import { PAID_MINOR } from '#money/refunds/paid-sum.ts'
import type { Db } from '#platform/database/client.ts'
import type { RefundReason, RefundsTable } from '#platform/database/tables/payments.table.ts'
import { notedMinor } from '#sales/invoices/credit-notes.service.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** `reversed_at`: of a lost dispute, when its money came back to the shop: then it counts no more. */
export type RefundRow = Selectable<RefundsTable> & { reversed_at: Date | null }

/** Whether the money is with the customer. */
export const hasGoneBack = ({ status, reversed_at }: RefundRow): boolean =>
  status === 'Success' && reversed_at === null

/** The same, or it is on its way there. */
export const goesBack = (refund: RefundRow): boolean => refund.status === 'Pending' || hasGoneBack(refund)

/**
 * The payment, locked, so that two refunds of it take turns; after its order, as everyone locks the two. Not against an
 * invoice that refers to the order: who issues one has the payment already.
 */
export const lockPayment = (db: Db, paymentId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.status',
      'payments.method',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.refunded_minor',
      'payments.disputed_minor',
    ])
    .where('payments.id', '=', paymentId)
    .forNoKeyUpdate(['orders', 'payments'])
    .executeTakeFirst()

/** What open disputes hold of a payment, and what of it is neither theirs nor given back. */
export const findDisputed = (db: Db, paymentId: string) =>
  db
    .selectFrom('payments')
    .select(['disputed_minor', sql<number>`${PAID_MINOR} - refunded_minor - disputed_minor`.as('free_minor')])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()

export type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>

export const listRefunds = (db: Db, paymentIds: readonly string[]): Promise<RefundRow[]> =>
  paymentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('refunds')
        .leftJoin('disputes', 'disputes.refund_id', 'refunds.id')
        .selectAll('refunds')
        .select('disputes.reversed_at')
        .where('refunds.payment_id', 'in', paymentIds)
        .orderBy('refunds.created_at')
        .orderBy('refunds.id')
        .execute()

/** The card network's number of what went back, by which the card holder's bank finds it, as far as the settlement has told it. */
export const listReferences = async (db: Db, paymentIds: readonly string[]): Promise<Map<string, string>> => {
  if (paymentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('settlement_operations as operations', (join) =>
      join
        .onRef('operations.id', '=', 'refunds.gate_operation_id')
        .onRef('operations.payment_id', '=', 'refunds.payment_id'),
    )
    .select(['refunds.id', sql<string>`coalesce(operations.arn, operations.rrn)`.as('reference')])
    .where('refunds.payment_id', 'in', paymentIds)
    .where('refunds.status', '=', 'Success')
    .where('operations.status', '=', 'success')
    .where(({ eb, or }) => or([eb('operations.arn', 'is not', null), eb('operations.rrn', 'is not', null)]))
    .execute()
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** Since when the days run in which it has to be sent: what was cancelled may have been said before it was recorded. */
export const OWED_SINCE = sql<Date>`least(refunds.created_at, case when refunds.reason = 'cancelled' then payments.cancelled_at end)`

/** A refund with what the gateway needs of its payment. */
export const findRefund = (db: Db, id: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'refunds.id',
      'refunds.payment_id',
      'refunds.amount_minor',
      'refunds.reason',
      'refunds.status',
      'refunds.is_by_hand',
      'refunds.gate_code',
      'refunds.gate_request_id',
      'refunds.claim_url',
      'payments.method',
      'payments.gateway',
      'payments.gateway_ref',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.refunded_minor',
      'payments.disputed_minor',
      'payments.is_kept_in_dispute',
      'payments.customer_id',
      'payments.delivered_at',
      'payments.order_id',
      OWED_SINCE.as('owed_since'),
      'orders.days',
      'orders.connections',
      'orders.plan_name',
      'orders.plan_period',
      RENEWED,
    ])
    .where('refunds.id', '=', id)
    .executeTakeFirst()

export type RefundWithPayment = NonNullable<Awaited<ReturnType<typeof findRefund>>>

type NewRefund = {
  id: string
  payment_id: string
  amount_minor: number
  reason: RefundReason
  is_by_hand: boolean
}

export const insertRefund = async (db: Db, refund: NewRefund): Promise<void> => {
  await db.insertInto('refunds').values(refund).execute()
}

export const noteRequest = async (db: Db, id: string, requestId: string): Promise<void> => {
  await db.updateTable('refunds').set({ gate_request_id: requestId }).where('id', '=', id).execute()
}

const movesTo = (status: RefundStatus) => REFUND_STATUSES.filter((from) => canTransitionRefund(from, status))

type Ending = {
  status: 'Success' | 'Decline'
  /** Where the gateway gave back another sum than it was asked for. */
  amount_minor?: number
  gate_operation_id: string | null
  gate_code: string | null
  /** The operator has sent the money, whatever the method. */
  is_by_hand?: true
}

/** False when it may not end so any more. */
export const endRefund = async (db: Db, id: string, ending: Ending): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ ...ending, ended_at: sql<Date>`now()`, closed_at: null })
    .where('id', '=', id)
    .where('status', 'in', movesTo(ending.status))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * What had gone back has come to us again, and waits to be sent by hand. False while another refund of the payment is under way:
 * there is one at a time. To be called with the payment locked.
 */
export const reopenReturned = async (
  db: Db,
  { id, payment_id, amount_minor }: Pick<RefundRow, 'id' | 'payment_id' | 'amount_minor'>,
  gate_code: string | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ status: 'Pending', ended_at: null, is_by_hand: true, gate_code })
    .where('id', '=', id)
    .where('status', 'in', movesTo('Pending'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds as other')
            .select('other.id')
            .where('other.payment_id', '=', payment_id)
            .where('other.status', '=', 'Pending'),
        ),
      ),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('payments')
    .set({ refunded_minor: sql<number>`greatest(0, refunded_minor - ${amount_minor})` })
    .where('id', '=', payment_id)
    .execute()
  return true
}

/** One that was made at the gateway, without us. */
export const insertForeignRefund = async (
  db: Db,
  refund: { id: string; payment_id: string; amount_minor: number; gate_operation_id: string | null },
): Promise<void> => {
  await db
    .insertInto('refunds')
    .values({ ...refund, reason: 'at-the-gateway', status: 'Success', ended_at: sql<Date>`now()` })
    .execute()
}

/**
 * What a lost dispute has taken. `isNoted`: it changes no invoice, and its share of that begins where the notes before it have
 * ended. To be called with the payment locked.
 */
export const insertDisputeRefund = async (
  db: Db,
  refund: { id: string; payment_id: string; amount_minor: number; is_noted: boolean },
): Promise<void> => {
  await db
    .insertInto('refunds')
    .values({
      ...refund,
      reason: 'dispute',
      status: 'Success',
      ended_at: sql<Date>`now()`,
      ...(refund.is_noted ? { noted_before_minor: notedMinor(refund.payment_id) } : {}),
    })
    .execute()
}

/** Nothing is owed for these refusals any more; left out: for none of the payment's. */
export const closeRefused = async (db: Db, paymentId: string, ids?: readonly string[]): Promise<void> => {
  if (ids?.length === 0) return
  await db
    .updateTable('refunds')
    .set({ closed_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'Decline')
    .where('closed_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .execute()
}

/**
 * The money of a lost dispute has come back, and its refund counts no more. What had ended with all of the payment stays
 * ended. To be called with the payment locked, and the dispute reversed.
 */
export const takeRefundedBack = async (db: Db, paymentId: string): Promise<void> => {
  await db
    .updateTable('payments')
    .set({
      ended_by_dispute_at: sql<Date | null>`case
        when refunded_minor >= charged_minor and not is_kept_in_dispute and cancelled_at is null
        then coalesce(ended_by_dispute_at, (
          select max(ended_at) from refunds where payment_id = payments.id and status = 'Success'))
        else ended_by_dispute_at end`,
      refunded_minor: sql<number>`least(charged_minor, (
        select coalesce(sum(amount_minor), 0) from refunds where payment_id = payments.id and status = 'Success'
          and not exists (select from disputes where refund_id = refunds.id and reversed_at is not null)))`,
    })
    .where('id', '=', paymentId)
    .execute()
}

/** Owed again: what was refused or to be sent by hand, and was settled by the loss, in its very transaction. */
export const reopenRefused = async (db: Db, refundId: string): Promise<void> => {
  await sql`
    update refunds set closed_at = null from refunds as loss
    where loss.id = ${refundId} and refunds.payment_id = loss.payment_id and refunds.status = 'Decline'
      and refunds.closed_at = loss.ended_at`.execute(db)
}

/** Whether one is on its way, or waits to be sent by hand. */
export const hasRefundUnderWay = async (db: Db, paymentId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'Pending')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The money has gone back. Returns what is left of what was paid. Of another sum than was asked for all goes back, so that
 * more came than was known of if more went back.
 */
export const addRefunded = async (db: Db, paymentId: string, amountMinor: number): Promise<number> => {
  const { left } = await db
    .updateTable('payments')
    .set({
      refunded_minor: sql<number>`case when received_minor is null
        then least(charged_minor, refunded_minor + ${amountMinor}) else refunded_minor + ${amountMinor} end`,
      received_minor: sql<number | null>`case when received_minor is not null
        then greatest(received_minor, refunded_minor + ${amountMinor}) end`,
    })
    .where('id', '=', paymentId)
    .returning(sql<number>`${PAID_MINOR} - payments.refunded_minor`.as('left'))
    .executeTakeFirstOrThrow()
  return left
}
