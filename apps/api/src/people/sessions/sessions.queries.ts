import { SESSION_IDLE_DAYS, SESSION_LONGEST_DAYS } from '@hedgerow/domain/sessions'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { CHANGED } from '#platform/database/notified-cache.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { Session } from '#platform/http/session.ts'
import type { Visitor } from '#platform/http/visitor.ts'

/**
 * False when the password is no longer the one that was checked, or was all that was, and is not enough any more. Waits
 * for a change under way, which ends the sessions that are there: a log-in with what was asked before, made meanwhile, must
 * not outlive that.
 */
export const insertSession = async (
  db: Db,
  tokenHash: Buffer,
  { id, password_hash }: Pick<CustomerRow, 'id' | 'password_hash'>,
  { browser, network }: Visitor,
  isByPassword: boolean,
): Promise<boolean> => {
  const row = await db
    .insertInto('sessions')
    .columns(['token_hash', 'customer_id', 'expires_at', 'browser', 'network'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select([
          sql<Buffer>`${tokenHash}::bytea`.as('token_hash'),
          'id',
          sql<Date>`now() + make_interval(days => ${sql.lit(SESSION_IDLE_DAYS)})`.as('expires_at'),
          sql<string | null>`${browser}::text`.as('browser'),
          sql<string | null>`${network}::text`.as('network'),
        ])
        .where('id', '=', id)
        .where('password_hash', '=', password_hash)
        .$if(isByPassword, (query) => query.where('second_step_at', 'is', null))
        .forShare(),
    )
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

const SECONDS_LEFT = sql<number>`extract(epoch from expires_at - now())::float8`
const SECONDS_UNUSED = sql<number>`extract(epoch from now() - last_used_at)::float8`

/** By the token's hash in hexadecimal; also one that has ended by time. How long it lasts is for the database to say. */
export const findSession = async (db: Db, hashHex: string): Promise<Session | undefined> => {
  const row = await db
    .selectFrom('sessions')
    .select(['customer_id', SECONDS_LEFT.as('left'), SECONDS_UNUSED.as('unused')])
    .where('token_hash', '=', Buffer.from(hashHex, 'hex'))
    .executeTakeFirst()
  const now = performance.now()
  return (
    row && {
      customer_id: row.customer_id,
      ends_at_ms: now + row.left * 1000,
      used_at_ms: now - row.unused * 1000,
    }
  )
}

/** Notes that it was used, and moves its end on. Returns how many seconds are left; undefined for one that has ended. */
export const touchSession = async (db: Db, hashHex: string): Promise<number | undefined> => {
  const row = await db
    .updateTable('sessions')
    .set({
      last_used_at: sql<Date>`now()`,
      expires_at: sql<Date>`least(
        now() + make_interval(days => ${sql.lit(SESSION_IDLE_DAYS)}),
        created_at + make_interval(days => ${sql.lit(SESSION_LONGEST_DAYS)}))`,
    })
    .where('token_hash', '=', Buffer.from(hashHex, 'hex'))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(SECONDS_LEFT.as('left'))
    .executeTakeFirst()
  return row?.left
}

const NOTIFY_SESSION = sql`pg_notify(${sql.lit(CHANGED)}, 'session:' || encode(token_hash, 'hex'))`

/** Ends a session, and notifies every process. */
export const deleteSession = (db: Db, tokenHash: Buffer) =>
  db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(NOTIFY_SESSION.as('notified'))
    .execute()

/**
 * The same by the name that its owner knows it by, with another address that was asked for. Returns the token's hash;
 * undefined when it is not theirs.
 */
export const deleteNamedSession = async (
  trx: Trx,
  customerId: string,
  id: string,
): Promise<Buffer | undefined> => {
  await holdAccount(trx, customerId)
  const row = await trx
    .deleteFrom('sessions')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .returning(['token_hash', NOTIFY_SESSION.as('notified')])
    .executeTakeFirst()
  if (row) await endPendingEmail(trx, customerId)
  return row?.token_hash
}

/**
 * Deleting the account locks it first, and then its sessions. Who does something to a session and notes that with
 * the account comes in the same order.
 */
export const holdAccount = (trx: Trx, id: string) =>
  trx.selectFrom('customers').select('id').where('id', '=', id).forKeyShare().execute()

/**
 * Sessions of the account can neither end nor be renewed until the transaction is over. In one order, so that two who end each
 * other's wait for each other and do not block. False when this one has ended.
 */
export const lockSessions = async (trx: Trx, customerId: string, tokenHash: Buffer): Promise<boolean> => {
  await holdAccount(trx, customerId)
  const locked = await trx
    .selectFrom('sessions')
    .select(['token_hash', sql<boolean>`expires_at > now()`.as('lasts')])
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return locked.some(({ token_hash, lasts }) => lasts && token_hash.equals(tokenHash))
}

/** Another address that was asked for comes to nothing: who asked may be who is shut out. */
const endPendingEmail = (trx: Trx, customerId: string) =>
  trx
    .updateTable('email_changes')
    .set({ ended_at: sql<Date>`now()` })
    .where('customer_id', '=', customerId)
    .where('changed_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()

/**
 * Ends every session of an account but the one that is spared, and notifies every process. A log-in that waits for its
 * second step ends with them, and so does another address that was asked for. Returns their tokens' hashes.
 */
export const deleteSessions = async (trx: Trx, customerId: string, spared?: Buffer): Promise<Buffer[]> => {
  await trx.deleteFrom('auth_challenges').where('customer_id', '=', customerId).execute()
  const ended = await trx
    .deleteFrom('sessions')
    .where('customer_id', '=', customerId)
    .$if(spared !== undefined, (query) => query.where('token_hash', '<>', spared as Buffer))
    .returning(['token_hash', NOTIFY_SESSION.as('notified')])
    .execute()
  // After the sessions: what one of them has asked for in this moment is there by then.
  await endPendingEmail(trx, customerId)
  return ended.map(({ token_hash }) => token_hash)
}

/** Who logs in without end makes as many as they like; all of them are ended together. */
const MOST_LISTED = 100

/** Those that have not ended, the last used first. */
export const listSessionRows = (db: Db, customerId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'browser', 'network', 'created_at', 'last_used_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(MOST_LISTED)
    .execute()

export type SessionRow = Awaited<ReturnType<typeof listSessionRows>>[number]

/** By what its owner knows it; stays the same when its token is replaced. Undefined when it has ended. */
export const findIdOfSession = async (db: Db, tokenHash: Buffer): Promise<string | undefined> => {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.id
}

/** When it was last proved whose session it is, in seconds ago. Undefined when it has ended. */
export const secondsSinceProof = async (db: Db, tokenHash: Buffer): Promise<number | undefined> => {
  const row = await db
    .selectFrom('sessions')
    .select(sql<number>`extract(epoch from now() - proved_at)::float8`.as('seconds'))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.seconds
}

/** It was proved now; from now on the session has another token. False when it has ended, or another proof came before. */
export const replaceToken = async (db: Trx, oldHash: Buffer, newHash: Buffer): Promise<boolean> => {
  const { rows } = await sql<{ notified: string }>`
    update sessions set token_hash = ${newHash}, proved_at = now()
    where token_hash = ${oldHash} and expires_at > now()
    returning pg_notify(${sql.lit(CHANGED)}, 'session:' || ${oldHash.toString('hex')}) as notified`.execute(
    db,
  )
  return rows.length > 0
}

/** Of time past; what is left of an unfinished log-in, too. */
export const deleteEnded = async (db: Db): Promise<void> => {
  await deleteDue(db, 'sessions', sql`expires_at < now()`)
  await deleteDue(db, 'auth_challenges', sql`expires_at < now()`)
}
