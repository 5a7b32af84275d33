import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { PAID_CURRENCY, PAID_MINOR } from '#money/refunds/paid-sum.ts'
import { OWED_SINCE } from '#money/refunds/refunds.queries.ts'
import type { Db } from '#platform/database/client.ts'

/** So long a refund may be on its way through the gateway, and then it counts as stuck. */
const MOVES_WITHIN = sql`interval '1 hour'`

/** So long a customer may take to claim one. */
const CLAIMED_WITHIN = sql`interval '14 days'`

/** To be sent, or a claim of it to be approved and paid. */
export const WAITS_FOR_HAND = sql<SqlBool>`(refunds.status = 'Pending' and (refunds.is_by_hand or refunds.claimed_at is not null))`

export const IS_STUCK = sql<SqlBool>`(refunds.status = 'Pending' and not refunds.is_by_hand and refunds.claimed_at is null
  and refunds.created_at < now() - case when refunds.claim_url is null then ${MOVES_WITHIN} else ${CLAIMED_WITHIN} end)`

/** Owed until it is closed, however long ago it was refused; while a dispute holds the money, there is nothing to do. */
export const IS_REFUSED = sql<SqlBool>`(refunds.status = 'Decline' and refunds.closed_at is null
  and not exists (select from payments as disputed where disputed.id = refunds.payment_id and disputed.disputed_minor > 0))`

/** Money that bought nothing, of which some is left and nothing is on its way. What was refused is listed by itself. */
export const IS_DUE_BACK = sql<SqlBool>`(payments.refund_due and payments.refunded_minor + payments.disputed_minor < ${PAID_MINOR}
  and not exists (select from refunds where refunds.payment_id = payments.id and refunds.status <> 'Success'))`

const firstOwed =
  (is: RawBuilder<SqlBool>) =>
  async (db: Db): Promise<Date | null> => {
    const { rows } = await sql<{ since: Date | null }>`
    select min(${OWED_SINCE}) as since from refunds join payments on payments.id = refunds.payment_id
    where ${is}`.execute(db)
    return rows[0]?.since ?? null
  }

/** Since when the first is owed that waits to be sent by hand, or was refused; null where there is none. */
export const findFirstByHand = firstOwed(WAITS_FOR_HAND)
export const findFirstRefused = firstOwed(IS_REFUSED)

/** Which refunds of a payment do not move. */
export const listStuckIds = async (db: Db, paymentId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from refunds where payment_id = ${paymentId} and ${IS_STUCK}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Money that has to go back, and does not move by itself. */
export type OwedRefund = {
  payment_id: string
  /** Null: money is due back, and no refund was requested. */
  refund_id: string | null
  why: 'stuck' | 'refused' | 'by-hand' | 'not-asked-for'
  minor: number
  currency: string
  gate_code: string | null
  since: Date
}

/** All of it, whenever it was paid, the oldest first. What was to be sent by hand a moment ago is no debt to tell of. */
export const listOwedRefunds = async (db: Db): Promise<OwedRefund[]> => {
  const { rows } = await sql<OwedRefund>`
    select payments.id as payment_id, refunds.id as refund_id,
      case when ${IS_STUCK} then 'stuck' when ${IS_REFUSED} then 'refused' else 'by-hand' end as why,
      refunds.amount_minor as minor, ${PAID_CURRENCY} as currency, refunds.gate_code, ${OWED_SINCE} as since
    from refunds join payments on payments.id = refunds.payment_id
    where ${IS_STUCK} or ${IS_REFUSED} or (${WAITS_FOR_HAND} and refunds.created_at < now() - ${MOVES_WITHIN})
    union all
    select payments.id, null, 'not-asked-for', ${PAID_MINOR} - refunded_minor, ${PAID_CURRENCY}, null, payments.ended_at
    from payments where ${IS_DUE_BACK}
    order by since, payment_id`.execute(db)
  return rows
}
