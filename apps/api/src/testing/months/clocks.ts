import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { TestShop } from '#testing/test-shop.ts'

/**
 * Services write the time of their deeds by the database's clock, which no setting moves. So a month is lived in a few
 * seconds, and its deeds are dated here, before anything is numbered by their dates: the shop issues invoices and credit
 * notes of what it then finds. The ledger refuses to be changed; the rule is off for that statement.
 */
export type Dated = {
  paymentId: string
  paidAt: Date
  /** Of its refunds, the first one first; none is before the payment. */
  refundedAt: readonly Date[]
}

export type DatedWithdrawal = { id: string; askedAt: Date; endedAt: Date }

const MINUTE_MS = 60_000

/** Without the rules that keep what was written as it was. */
export const unguarded = <T>({ db }: Pick<TestShop, 'db'>, write: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    return write(trx)
  })

const dateRefunds = async (trx: Db, { paymentId, paidAt, refundedAt }: Dated): Promise<void> => {
  const refunds = await trx
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .execute()
  const times = refundedAt.map((time) => time.getTime()).toSorted((one, other) => one - other)
  let earliest = paidAt.getTime() + MINUTE_MS
  for (const [at, { id }] of refunds.entries()) {
    const time = new Date(Math.max(earliest, times[at] ?? 0))
    earliest = time.getTime() + 1
    await trx.updateTable('refunds').set({ created_at: time, ended_at: time }).where('id', '=', id).execute()
  }
}

/** Opened soon after the sale; one that was lost ended with its refund. To be called when refunds are dated. */
const dateDisputes = async (trx: Db, { paymentId, paidAt, refundedAt }: Dated): Promise<void> => {
  const openedAt = new Date(paidAt.getTime() + MINUTE_MS)
  const wonAt = new Date(Math.max(openedAt.getTime(), ...refundedAt.map(Number)))
  await sql`update disputes set opened_at = ${openedAt}, respond_by = ${openedAt}::timestamptz + interval '7 days',
    ended_at = case status when 'won' then ${wonAt}::timestamptz
      when 'lost' then (select ended_at from refunds where refunds.id = disputes.refund_id) end
    where payment_id = ${paymentId}`.execute(trx)
}

export const dateSale = (shop: Pick<TestShop, 'db'>, dated: Dated): Promise<void> =>
  unguarded(shop, async (trx) => {
    const { paymentId, paidAt } = dated
    const begun = new Date(paidAt.getTime() - MINUTE_MS)
    await sql`update payments set created_at = ${begun}, ended_at = ${paidAt},
      delivered_at = case when delivered_at is not null then ${paidAt}::timestamptz end,
      rated_at = case when rated_at is not null then ${begun}::timestamptz end where id = ${paymentId}`.execute(
      trx,
    )
    await dateRefunds(trx, dated)
    await dateDisputes(trx, dated)
    await sql`update earnings set earned_at = ${paidAt} where payment_id = ${paymentId}`.execute(trx)
    await sql`update ledger_transfers set created_at = ${paidAt}
      where payment_id = ${paymentId} and kind = 'earned'`.execute(trx)
  })

export const dateWithdrawal = (
  shop: Pick<TestShop, 'db'>,
  { id, askedAt, endedAt }: DatedWithdrawal,
): Promise<void> =>
  unguarded(shop, async (trx) => {
    await sql`update withdrawals set created_at = ${askedAt},
      ended_at = case when ended_at is not null then ${endedAt}::timestamptz end where id = ${id}`.execute(
      trx,
    )
    await sql`update ledger_transfers
      set created_at = case kind when 'requested' then ${askedAt}::timestamptz else ${endedAt}::timestamptz end
      where withdrawal_id = ${id}`.execute(trx)
  })
