import { FACTOR_TRIAL_DAYS, WAY_BACK_DAYS } from '@hedgerow/domain/second-step'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue, updateDue } from '#platform/database/slices.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { RecoveryCodesTable } from '#platform/database/tables/security.table.ts'

const NOW = sql<Date>`now()`

/** Whether an authenticator app is set up; with a time, whether it was by then. */
export const hasApp = async (db: Db, customerId: string, by?: Date): Promise<boolean> => {
  const row = await db
    .selectFrom('totp_secrets')
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .where('confirmed_at', 'is not', null)
    .$if(by !== undefined, (query) => query.where('confirmed_at', '<=', by as Date))
    .executeTakeFirst()
  return row !== undefined
}

/** What was added after that is on trial. */
export const findTrialStart = async (db: Db, before?: Date): Promise<Date> => {
  const { rows } = await sql<{ since: Date }>`
    select coalesce(${before ?? null}::timestamptz, now()) - make_interval(days => ${sql.lit(FACTOR_TRIAL_DAYS)}) as since`.execute(
    db,
  )
  return (rows[0] as { since: Date }).since
}

export const findHolder = (db: Db, customerId: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('id', '=', customerId).executeTakeFirst()

/** One change of a second step at a time. Undefined for an account that is gone. */
export const lockHolder = (trx: Trx, customerId: string): Promise<CustomerRow | undefined> =>
  trx.selectFrom('customers').selectAll().where('id', '=', customerId).forNoKeyUpdate().executeTakeFirst()

export const findApp = (db: Db, customerId: string) =>
  db
    .selectFrom('totp_secrets')
    .select(['secret_encrypted', 'confirmed_at'])
    // With all of its digits: it tells this app from the next.
    .select(sql<string | null>`confirmed_at::text`.as('confirmed_exactly'))
    // The processes' clocks may differ; the database has one.
    .select(sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('now_ms'))
    .where('customer_id', '=', customerId)
    .executeTakeFirst()

/**
 * An app that is being set up, in this session and not too long. `minutes`: for how long it may be, where only one counts
 * that was begun since the session's last proof.
 */
export const findPendingApp = (db: Db, customerId: string, sessionId: string, minutes?: number) =>
  db
    .selectFrom('totp_secrets')
    .select([
      'pending_encrypted',
      sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('now_ms'),
    ])
    .where('customer_id', '=', customerId)
    .where('pending_session_id', '=', sessionId)
    .where('pending_until', '>', NOW)
    .$if(minutes !== undefined, (query) =>
      query.where(
        sql<boolean>`pending_until - make_interval(mins => ${minutes}) >=
          (select proved_at from sessions where sessions.id = ${sessionId})`,
      ),
    )
    .executeTakeFirst()

type Pending = { sealed: Buffer; sessionId: string; minutes: number }

/** The app that is there stays until the new one has shown its first code. */
export const savePendingApp = (trx: Trx, customerId: string, { sealed, sessionId, minutes }: Pending) => {
  const pending = {
    pending_encrypted: sealed,
    pending_until: sql<Date>`now() + make_interval(mins => ${minutes})`,
    pending_session_id: sessionId,
  }
  return trx
    .insertInto('totp_secrets')
    .values({ customer_id: customerId, ...pending })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(pending))
    .execute()
}

/** `secret` is what was `pending`, sealed anew. False when it is no longer the one that is being set up. */
export const confirmApp = async (
  trx: Trx,
  customerId: string,
  { pending, secret }: { pending: Buffer; secret: Buffer },
  step: number,
): Promise<boolean> => {
  const row = await trx
    .updateTable('totp_secrets')
    .set({
      secret_encrypted: secret,
      confirmed_at: NOW,
      last_step: step,
      pending_encrypted: null,
      pending_until: null,
      pending_session_id: null,
    })
    .where('customer_id', '=', customerId)
    .where('pending_encrypted', '=', pending)
    .where('pending_until', '>', NOW)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether there was one that worked. */
export const deleteApp = async (trx: Trx, customerId: string): Promise<boolean> => {
  const row = await trx
    .deleteFrom('totp_secrets')
    .where('customer_id', '=', customerId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return Boolean(row?.confirmed_at)
}

/** Whether there was one that was confirmed since. */
export const deleteAppSince = async (trx: Trx, customerId: string, since: Date): Promise<boolean> => {
  const row = await trx
    .deleteFrom('totp_secrets')
    .where('customer_id', '=', customerId)
    .where('confirmed_at', '>', since)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The set-up of an app ends; the app that was there before it stays. */
export const forgetPendingApp = (trx: Trx, customerId: string) =>
  trx
    .updateTable('totp_secrets')
    .set({ pending_encrypted: null, pending_until: null, pending_session_id: null })
    .where('customer_id', '=', customerId)
    .execute()

/** Set-ups that were not finished; the app that was there before them stays. */
export const deletePendingApps = async (db: Db): Promise<void> => {
  const isOver = sql`pending_until <= now()`
  const nothing = sql`pending_encrypted = null, pending_until = null, pending_session_id = null`
  await deleteDue(db, 'totp_secrets', sql`secret_encrypted is null and ${isOver}`)
  await updateDue(db, 'totp_secrets', nothing, isOver)
}

/** A code of the app of then is taken once, and none that is older than the last: of two at once, one gets true. */
export const takeStep = async (
  db: Db,
  customerId: string,
  confirmedAt: string,
  step: number,
): Promise<boolean> => {
  const row = await db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('customer_id', '=', customerId)
    .where('confirmed_at', '=', sql<Date>`${confirmedAt}::timestamptz`)
    .where('last_step', '<', String(step))
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

export const listRecoveryCodes = (db: Db, customerId: string) =>
  db.selectFrom('recovery_codes').select(['id', 'code_hash']).where('customer_id', '=', customerId).execute()

/** Of two who use it at once, one gets true. */
export const takeRecoveryCode = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: NOW })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const countRecoveryCodes = async (db: Db, customerId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('customer_id', '=', customerId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** All that were made since; all there are, without a time. Whether there were any. */
export const deleteRecoveryCodes = async (trx: Trx, customerId: string, since?: Date): Promise<boolean> => {
  const rows = await trx
    .deleteFrom('recovery_codes')
    .where('customer_id', '=', customerId)
    .$if(since !== undefined, (query) => query.where('created_at', '>', since as Date))
    .returning('id')
    .execute()
  return rows.length > 0
}

export const replaceRecoveryCodes = async (
  trx: Trx,
  customerId: string,
  rows: Insertable<RecoveryCodesTable>[],
): Promise<void> => {
  await deleteRecoveryCodes(trx, customerId)
  await trx.insertInto('recovery_codes').values(rows).execute()
}

export const setSecondStepOn = (trx: Trx, customerId: string) =>
  trx.updateTable('customers').set({ second_step_at: NOW }).where('id', '=', customerId).execute()

/** Log-ins that wait for the second step end with it, and so does one operator's word that it may be reset. */
export const setSecondStepOff = async (trx: Trx, customerId: string): Promise<void> => {
  await trx
    .updateTable('customers')
    .set({ second_step_at: null, second_step_ends_at: null, way_back_hash: null })
    .where('id', '=', customerId)
    .execute()
  await trx
    .deleteFrom('auth_challenges')
    .where('customer_id', '=', customerId)
    .where('purpose', '=', 'second-step')
    .execute()
  await forgetReset(trx, customerId)
}

/** Of the two operators who may reset a second step, the word of the first. */
const forgetReset = (trx: Trx, customerId: string) =>
  trx.deleteFrom('second_step_resets').where('customer_id', '=', customerId).execute()

/** What someone else may have begun, at whose end the second step is off. */
export const forgetWaits = async (trx: Trx, customerId: string): Promise<void> => {
  await trx
    .updateTable('customers')
    .set({ second_step_ends_at: null, way_back_hash: null })
    .where('id', '=', customerId)
    .execute()
  await forgetReset(trx, customerId)
}

/**
 * The second step of the account ends in seven days; undefined where that is asked already, or there is none. Whole
 * seconds, so that the time names this one wait.
 */
export const beginWayBack = (trx: Trx, customerId: string) =>
  trx
    .updateTable('customers')
    .set({
      second_step_ends_at: sql<Date>`date_trunc('second', now()) + make_interval(days => ${sql.lit(WAY_BACK_DAYS)})`,
      way_back_hash: null,
    })
    .where('id', '=', customerId)
    .where('second_step_at', 'is not', null)
    .where('second_step_ends_at', 'is', null)
    .returning('second_step_ends_at')
    .executeTakeFirst()

/** False when that wait is over or was stopped. */
export const saveWayBackLink = async (
  db: Db,
  customerId: string,
  endsAt: Date,
  hash: Buffer,
): Promise<boolean> => {
  const row = await db
    .updateTable('customers')
    .set({ way_back_hash: hash })
    .where('id', '=', customerId)
    .where('second_step_ends_at', '=', endsAt)
    .where('second_step_ends_at', '>', NOW)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether there was one to stop. One that is over is none, even if it has not been ended yet. */
export const clearWayBack = async (trx: Trx, customerId: string): Promise<boolean> => {
  const row = await trx
    .updateTable('customers')
    .set({ second_step_ends_at: null, way_back_hash: null })
    .where('id', '=', customerId)
    .where('second_step_ends_at', '>', NOW)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whose wait a mailed link stops. */
export const findByWayBackLink = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where('way_back_hash', '=', hash)
    .where('second_step_ends_at', '>', NOW)
    .executeTakeFirst()
  return row?.id
}

const MOST_AT_ONCE = 100

/** Whose wait is over. */
export const listOverdue = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('customers')
    .select('id')
    .where('second_step_ends_at', '<=', NOW)
    .orderBy('second_step_ends_at')
    .limit(MOST_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks the account where its wait is over, by the database's clock. */
export const lockOverdue = async (trx: Trx, customerId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .where('second_step_ends_at', '<=', NOW)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}
