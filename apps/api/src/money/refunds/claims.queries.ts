import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { RefundsTable } from '#platform/database/tables/payments.table.ts'

/** So long after a call no other is made: what it has made would be found by then. */
const CALL_ENDS_WITHIN = sql`interval '10 minutes'`

/** False while another call may be under way, or where nothing is to be made any more. */
export const takeTurn = async (db: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ asked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .where(sql<boolean>`(asked_at is null or asked_at < now() - ${CALL_ENDS_WITHIN})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether a call that was made of it may still make something. */
export const mayBeMade = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('refunds')
    .select('id')
    .where('id', '=', id)
    .where(sql<boolean>`asked_at > now() - ${CALL_ENDS_WITHIN}`)
    .executeTakeFirst()
  return row !== undefined
}

export type Claimed = Pick<
  Selectable<RefundsTable>,
  'id' | 'status' | 'amount_minor' | 'gate_request_id' | 'claimed_at'
>

/** Where it is claimed; how the refund stands. Undefined where that was known. */
export const setClaim = (trx: Trx, id: string, ref: string, url: string) =>
  trx
    .updateTable('refunds')
    .set({ gate_request_id: ref, claim_url: url })
    .where('id', '=', id)
    .where('claim_url', 'is', null)
    .returning(['status', 'payment_id'])
    .executeTakeFirst()

/** Refunds of a payment that are claimed, and of which nothing is known to be sent. */
export const listClaimed = (db: Db, paymentId: string): Promise<Claimed[]> =>
  db
    .selectFrom('refunds')
    .select(['id', 'status', 'amount_minor', 'gate_request_id', 'claimed_at'])
    .where('payment_id', '=', paymentId)
    .where('claim_url', 'is not', null)
    .where('gate_operation_id', 'is', null)
    .execute()

/** The payment of a refund that is claimed there. */
export const findClaimedPayment = async (db: Db, ref: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('refunds')
      .select('payment_id')
      .where('gate_request_id', '=', ref)
      .where('claim_url', 'is not', null)
      .executeTakeFirst()
  )?.payment_id

/** Notes that a claim waits, or none any more. True when that is news. */
export const setWaiting = async (trx: Trx, id: string, isWaiting: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('refunds')
    .set({ claimed_at: isWaiting ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .where('claimed_at', isWaiting ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
