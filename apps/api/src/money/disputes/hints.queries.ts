import { type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'

/** So many hints wait at most: more of them are dropped. */
const MOST_HINTS = 500

const HAS_ROOM = sql<boolean>`(select count(*) from dispute_hints where checked_at is null) < ${sql.lit(MOST_HINTS)}`

/** Keeps that a notice named these payments, as far as they are ours and were paid. The answer does not reveal which are. */
export const keepHints = async (db: Db, paymentIds: readonly string[]): Promise<void> => {
  await sql`
    insert into dispute_hints (payment_id)
    select id from payments where id = any(${paymentIds}::text[])
      and (status = 'Success' or received_minor is not null) and ${HAS_ROOM}
    on conflict (payment_id) do update set last_told_at = now(), checked_at = null`.execute(db)
}

/** A notice spoke of chargebacks, and named none. */
export const keepGeneralHint = async (db: Db): Promise<void> => {
  await sql`
    insert into dispute_hints (payment_id) values (null)
    on conflict (payment_id) do update set last_told_at = now(), checked_at = null`.execute(db)
}

/** The gateway was asked after they came, or the operator has looked. Returns how many. */
export const checkHints = async (db: Db, reportedUntil: Date): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('dispute_hints')
    .set({ checked_at: sql<Date>`now()` })
    .where('checked_at', 'is', null)
    .where('last_told_at', '<=', reportedUntil)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const checkHintsOf = async (db: Db, paymentId: string): Promise<void> => {
  await db
    .updateTable('dispute_hints')
    .set({ checked_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where('checked_at', 'is', null)
    .execute()
}

/** Open ones, the oldest first. */
export const listHints = (db: Db, limit: number) =>
  db
    .selectFrom('dispute_hints')
    .select(['payment_id', 'first_told_at', 'last_told_at'])
    .where('checked_at', 'is', null)
    .orderBy('last_told_at')
    .limit(limit)
    .execute()

export const listHintsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('dispute_hints')
    .innerJoin('payments', 'payments.id', 'dispute_hints.payment_id')
    .selectAll('dispute_hints')
    .where('payments.customer_id', '=', customerId)
    .orderBy('first_told_at')
    .execute()

/** What the gateway reported, and no dispute could be made of; once an operator has closed it, it is not shown again. */
export const keepUnfiled = async (
  db: Db,
  row: { gate_id: string; payment_id: string | null; why: string },
): Promise<void> => {
  await db
    .insertInto('unfiled_chargebacks')
    .values(row)
    .onConflict((conflict) => conflict.column('gate_id').doNothing())
    .execute()
}

export const forgetUnfiled = async (db: Db, gateId: string): Promise<void> => {
  await db.deleteFrom('unfiled_chargebacks').where('gate_id', '=', gateId).execute()
}

export const checkUnfiled = async (db: Db): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('unfiled_chargebacks')
    .set({ checked_at: sql<Date>`now()` })
    .where('checked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const listUnfiled = (db: Db, limit: number) =>
  db
    .selectFrom('unfiled_chargebacks')
    .select(['gate_id', 'payment_id', 'why', 'told_at'])
    .where('checked_at', 'is', null)
    .orderBy('told_at')
    .limit(limit)

/** Those that the Gate can be asked about. */
export const listUnfiledToAsk = (db: Db, limit: number) =>
  listUnfiled(db, limit)
    .where(
      sql<SqlBool>`not exists (select from payments where payments.id = payment_id and gateway <> 'gate')`,
    )
    .execute()

/** A gateway has signed that there is news of a dispute: all are asked at the next turn, once more where they are being asked now. */
export const askAgain = async (db: Db): Promise<void> => {
  await sql`update dispute_watch set asked_at = null, fetched_at = null`.execute(db)
}

/** Not needed after a month. The gateway reports chargebacks for longer, and again. */
export const deleteOldHints = async (db: Db): Promise<void> => {
  await deleteDue(db, 'dispute_hints', sql`checked_at < now() - interval '30 days'`)
  await deleteDue(db, 'unfiled_chargebacks', sql`checked_at < now() - interval '2 years'`)
}

/** So often the gateway is asked at most, whatever strangers say; and so often at least. */
const ASK_AGAIN_AFTER = sql`interval '5 minutes'`
const ASK_ANYWAY_AFTER = sql`interval '1 day'`

/** Of several that want to ask, one may; and none before its time. `now` is the database's. */
export const claimAsking = async (db: Db): Promise<{ now: Date; fetchedTo: Date | null } | undefined> => {
  const { rows } = await sql<{ now: Date; fetchedTo: Date | null }>`
    update dispute_watch set asked_at = now()
    where (asked_at is null or asked_at < now() - ${ASK_AGAIN_AFTER})
      and (fetched_at is null or fetched_at < now() - ${ASK_ANYWAY_AFTER}
        or exists (select from dispute_hints where checked_at is null))
    returning asked_at as now, fetched_to as "fetchedTo"`.execute(db)
  return rows[0]
}

/** `to`: when the asking was claimed. What was told since wants another one. */
export const noteFetched = async (db: Db, to: Date): Promise<void> => {
  await sql`
    update dispute_watch set fetched_at = case when asked_at is not null then now() end,
      fetched_to = greatest(fetched_to, ${to}::timestamptz)`.execute(db)
}
