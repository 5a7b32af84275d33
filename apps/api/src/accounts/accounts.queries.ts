import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#database/client.ts'
import { CHANGED } from '#database/notified-cache.ts'
import type { CustomerRow, CustomersTable, LinkPurpose } from '#database/tables/accounts.table.ts'
import type { Session } from '#http/session.ts'

/** Undefined when the e-mail is taken. */
export const insertCustomer = (db: Db, row: Insertable<CustomersTable>) =>
  db
    .insertInto('customers')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()

/** Whose promocode it is, locked against going away; null when it is nobody's. */
export const findPartnerByPromocode = async (trx: Trx, promocode: string): Promise<string | null> => {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('promocode', '=', promocode)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * False when the password is no longer the one that was checked. Waits for a change under way, which ends the
 * sessions that are there: a log-in with the old password, made meanwhile, must not outlive that.
 */
export const insertSession = async (
  db: Db,
  tokenHash: Buffer,
  { id, password_hash }: Pick<CustomerRow, 'id' | 'password_hash'>,
  days: number,
): Promise<boolean> => {
  const row = await db
    .insertInto('sessions')
    .columns(['token_hash', 'customer_id', 'expires_at'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select([
          sql<Buffer>`${tokenHash}::bytea`.as('token_hash'),
          'id',
          sql<Date>`now() + make_interval(days => ${days})`.as('expires_at'),
        ])
        .where('id', '=', id)
        .where('password_hash', '=', password_hash)
        .forShare(),
    )
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/** By the token's hash in hexadecimal; also one that has ended by time. */
export const findSession = (db: Db, hashHex: string): Promise<Session | undefined> =>
  db
    .selectFrom('sessions')
    .select(['customer_id', 'expires_at'])
    .where('token_hash', '=', Buffer.from(hashHex, 'hex'))
    .executeTakeFirst()

const NOTIFY_SESSION = sql`pg_notify(${sql.lit(CHANGED)}, 'session:' || encode(token_hash, 'hex'))`

/** Ends a session, and notifies every process. */
export const deleteSession = (db: Db, tokenHash: Buffer) =>
  db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(NOTIFY_SESSION.as('notified'))
    .execute()

/** Ends every session of an account but the one that is spared, and notifies every process. Returns their tokens' hashes. */
export const deleteSessions = async (trx: Trx, customerId: string, spared?: Buffer): Promise<Buffer[]> => {
  const ended = await trx
    .deleteFrom('sessions')
    .where('customer_id', '=', customerId)
    .$if(spared !== undefined, (query) => query.where('token_hash', '<>', spared as Buffer))
    .returning(['token_hash', NOTIFY_SESSION.as('notified')])
    .execute()
  return ended.map(({ token_hash }) => token_hash)
}

/** A new password makes the links to choose one useless. */
export const deleteUnusedResetLinks = (trx: Trx, customerId: string) =>
  trx
    .deleteFrom('account_links')
    .where('customer_id', '=', customerId)
    .where('purpose', '=', 'reset')
    .where('used_at', 'is', null)
    .execute()

export const insertLink = (
  db: Db,
  tokenHash: Buffer,
  customerId: string,
  purpose: LinkPurpose,
  hours: number,
) =>
  db
    .insertInto('account_links')
    .values({
      token_hash: tokenHash,
      customer_id: customerId,
      purpose,
      expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
    })
    .execute()

/** Whether a link was made in the last seconds. */
export const hasRecentLink = async (
  db: Db,
  customerId: string,
  purpose: LinkPurpose,
  seconds: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom('account_links')
    .select('purpose')
    .where('customer_id', '=', customerId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a link up; of many who try at once, one gets the customer and the others nothing. */
export const useLink = (trx: Trx, tokenHash: Buffer, purpose: LinkPurpose) =>
  trx
    .updateTable('account_links')
    .set({ used_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('customer_id')
    .executeTakeFirst()

export const confirmCustomer = (trx: Trx, id: string) =>
  trx
    .updateTable('customers')
    .set({ confirmed_at: sql<Date>`coalesce(confirmed_at, now())` })
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirstOrThrow()

/**
 * The new password ends every session, and every other link to choose one; the mailed link proves the address too.
 * Returns the hashes of the sessions that ended.
 */
export const replacePassword = async (
  trx: Trx,
  customerId: string,
  passwordHash: string,
): Promise<Buffer[]> => {
  await trx
    .updateTable('customers')
    .set({ password_hash: passwordHash, confirmed_at: sql<Date>`coalesce(confirmed_at, now())` })
    .where('id', '=', customerId)
    .execute()
  await deleteUnusedResetLinks(trx, customerId)
  return deleteSessions(trx, customerId)
}

/** Sessions that have ended, and links that ended more than a month ago. */
export const deleteEndedSessionsAndLinks = async (db: Db) => {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .deleteFrom('account_links')
    .where('expires_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}
