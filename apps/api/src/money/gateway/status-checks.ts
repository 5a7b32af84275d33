import { REFUNDS_CAN_COME_BACK } from '@hedgerow/domain/gateways'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { PaymentRow } from '#platform/database/tables/payments.table.ts'

/** Seconds until the gateway is first asked, if no callback comes; each further pause is twice as long. */
export const FIRST_CHECK_S = 10
const LONGEST_CHECK_S = 86_400

/** For a change after which the gateway soon has something to tell: it is asked as often as of a new payment. */
export const restartedChecks = ({ now }: { now: Date }) => ({
  checks: 0,
  next_check_at: new Date(now.getTime() + FIRST_CHECK_S * 1000),
})

/** From now on the gateway is asked about the payment again, and as often as of a new one. */
export const checkAgain = async (db: Db, id: string, inSeconds = FIRST_CHECK_S): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ checks: 0, next_check_at: sql<Date>`now() + make_interval(secs => ${inSeconds})` })
    .where('id', '=', id)
    .execute()
}

/**
 * Somebody else has told of these payments what is not known here, a settlement report or a chargeback: the gateway is asked at
 * once, and what it answers is applied as a callback is. Ids of no payment are left.
 */
export const askAbout = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update payments set next_check_at = least(next_check_at, now()) where id = any(${ids}::text[])`.execute(
    db,
  )
}

export type DueCheck = Pick<PaymentRow, 'id' | 'checks' | 'answered' | 'gateway' | 'gateway_ref'>

/**
 * Takes payments whose check is due, and plans their next one; others who do the same get other payments. What was asked
 * for least often comes first: a customer waits for it, and refunds that never end, however many, wait behind.
 */
export const takeDueChecks = async (db: Db, limit: number): Promise<DueCheck[]> => {
  const { rows } = await sql<DueCheck>`
    update payments set
      checks = checks + 1,
      next_check_at = now() + make_interval(secs => least(${LONGEST_CHECK_S}, ${FIRST_CHECK_S} * 2.0 ^ (checks + 1)))
    where id in (
      select id from payments where next_check_at <= now()
      order by checks, next_check_at limit ${limit} for update skip locked
    )
    returning id, checks, answered, gateway, gateway_ref`.execute(db)
  return rows
}

/** Long enough that a line of payments that are never answered leaves room for others, short beside any pause. */
const SILENT_PAUSE_S = 30

/** A check that got no answer counts for nothing: it is made again soon, however long the gateway is away. */
export const putBackCheck = async (
  db: Db,
  { id, checks }: Pick<DueCheck, 'id' | 'checks'>,
): Promise<void> => {
  await db
    .updateTable('payments')
    .set({
      checks: sql<number>`checks - 1`,
      next_check_at: sql<Date>`least(next_check_at, now() + make_interval(secs => ${SILENT_PAUSE_S}))`,
    })
    .where('id', '=', id)
    .where('checks', '=', checks)
    .where('next_check_at', 'is not', null)
    .execute()
}

/** Told by no callback that may be lost: a declined payment in crypto, for as long as its server looks for money, and a day more. */
const CAN_COME_LATE = sql`method = 'crypto' and status in ('Decline', 'Error') and created_at > now() - interval '2 days'`

/** The event of a refund that comes back may be lost. */
const CAN_COME_BACK = sql`gateway = any(${[...REFUNDS_CAN_COME_BACK]}::text[]) and exists (
  select from refunds where payment_id = payments.id and refunds.status = 'Success' and not is_by_hand
    and refunds.ended_at > now() - interval '30 days')`

/**
 * Nothing is left to ask about a payment that has ended, unless a refund of it is under way, or was begun since the check
 * was taken; or it is one to whose address money can still be sent, though its time is over, or whose refund can fail yet.
 */
export const stopChecks = async (db: Db, { id, checks }: Pick<DueCheck, 'id' | 'checks'>): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ next_check_at: null })
    .where('id', '=', id)
    .where('checks', '=', checks)
    .where('ended_at', 'is not', null)
    .where(sql<boolean>`not (${CAN_COME_LATE}) and not (${CAN_COME_BACK})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds')
            .select('refunds.id')
            .where('payment_id', '=', id)
            .where('status', '=', 'Pending')
            .where('is_by_hand', '=', false),
        ),
      ),
    )
    .execute()
}

/** Whether a payment was started at least so many seconds ago. */
export const isOlderThan = async (db: Db, id: string, seconds: number): Promise<boolean> => {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .executeTakeFirst()
  return row !== undefined
}
