import { sql } from 'kysely'
import type { Trx } from '#platform/database/client.ts'

/** No hash begins with it, so a locked one is nobody's password wherever it is compared, by older releases too. */
const LOCK = '!'

export const isLocked = (passwordHash: string): boolean => passwordHash.startsWith(LOCK)

export const withoutLock = (passwordHash: string): string =>
  isLocked(passwordHash) ? passwordHash.slice(LOCK.length) : passwordHash

/**
 * In a shop that was restored: which customers have changed their password after the backup is not known. Whoever knows the
 * one of then is mailed a link to choose another.
 */
export const lockEveryPassword = (trx: Trx) =>
  trx
    .updateTable('customers')
    .set({ password_hash: sql`${sql.lit(LOCK)} || password_hash` })
    // Who has not confirmed the address yet needs the mailbox anyway.
    .where('confirmed_at', 'is not', null)
    .where('password_hash', 'not like', `${LOCK}%`)
    .execute()
