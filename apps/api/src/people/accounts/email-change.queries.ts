import { EMAIL_CONFIRM_HOURS, EMAIL_UNDO_DAYS } from '@hedgerow/domain/email-changes'
import { sql } from 'kysely'
import { IS_NOBODYS } from '#people/accounts/accounts.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { CustomerRow, EmailChangeRow } from '#platform/database/tables/accounts.table.ts'

const IS_PENDING = sql<boolean>`email_changes.changed_at is null and email_changes.ended_at is null`
const IS_UNDOABLE = sql<boolean>`email_changes.undo_until > now() and email_changes.ended_at is null`
const LINK_END = sql<Date>`now() + make_interval(hours => ${sql.lit(EMAIL_CONFIRM_HOURS)})`
const NOW = sql<Date>`now()`

/** Changes of an account's address, one way or the other, go one after the other. */
export const lockAccount = (trx: Trx, customerId: string): Promise<CustomerRow | undefined> =>
  trx.selectFrom('customers').selectAll().where('id', '=', customerId).forUpdate().executeTakeFirst()

/** The same address asked for once more: since when it is asked for stays. Undefined when it is not pending. */
export const askOnceMore = (trx: Trx, customerId: string, newEmail: string) =>
  trx
    .updateTable('email_changes')
    .set({ expires_at: LINK_END })
    .where('customer_id', '=', customerId)
    .where('new_email', '=', newEmail)
    .where(IS_PENDING)
    .where('expires_at', '>', NOW)
    .returning('id')
    .executeTakeFirst()

export const insertChange = (
  trx: Trx,
  row: Pick<EmailChangeRow, 'id' | 'customer_id' | 'old_email' | 'new_email'>,
) =>
  trx
    .insertInto('email_changes')
    .values({ ...row, expires_at: LINK_END })
    .execute()

/** What was asked for and is not confirmed comes to nothing. */
export const endPending = (db: Db, customerId: string) =>
  db
    .updateTable('email_changes')
    .set({ ended_at: NOW })
    .where('customer_id', '=', customerId)
    .where(IS_PENDING)
    .execute()

export const findPending = (db: Db, customerId: string) =>
  db
    .selectFrom('email_changes')
    .select(['new_email', 'asked_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where(IS_PENDING)
    .where('expires_at', '>', NOW)
    .executeTakeFirst()

/** Changes that can still be undone, the newest first. */
export const listUndoable = (db: Db, customerId: string) =>
  db
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'changed_at', 'undo_until'])
    .where('customer_id', '=', customerId)
    .where(IS_UNDOABLE)
    .orderBy('changed_at', 'desc')
    .execute()

export const listChanges = (db: Db, customerId: string): Promise<EmailChangeRow[]> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()

/** Its link works for its whole time from when the mail is made. Undefined when it is not pending. */
export const startConfirming = (trx: Trx, id: string): Promise<EmailChangeRow | undefined> =>
  trx
    .updateTable('email_changes')
    .set({ expires_at: LINK_END })
    .where('id', '=', id)
    .where(IS_PENDING)
    .returningAll()
    .executeTakeFirst()

export const setConfirmLink = (trx: Trx, id: string, confirmHash: Buffer) =>
  trx.updateTable('email_changes').set({ confirm_hash: confirmHash }).where('id', '=', id).execute()

/** Whose address a mailed link is to change; undefined when it works no longer. */
export const findByConfirmLink = (db: Db, confirmHash: Buffer): Promise<EmailChangeRow | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('confirm_hash', '=', confirmHash)
    .where(IS_PENDING)
    .where('expires_at', '>', NOW)
    .executeTakeFirst()

/** What a link has just done, as long as it stands. */
export const findLatelyMoved = async (db: Db, confirmHash: Buffer, minutes: number) => {
  const row = await db
    .selectFrom('email_changes')
    .innerJoin('customers', 'customers.id', 'email_changes.customer_id')
    .select(['customers.email', 'customers.second_step_at'])
    .where('confirm_hash', '=', confirmHash)
    .where(IS_UNDOABLE)
    .whereRef('customers.email', '=', 'email_changes.new_email')
    .where('changed_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()
  return row && { email: row.email, hasSecondStep: row.second_step_at !== null }
}

/** Of many who confirm at once, one gets true. */
export const markChanged = async (
  trx: Trx,
  { id, confirm_hash }: Pick<EmailChangeRow, 'id' | 'confirm_hash'>,
  oldEmail: string,
): Promise<boolean> => {
  const row = await trx
    .updateTable('email_changes')
    .set({
      old_email: oldEmail,
      changed_at: NOW,
      undo_until: sql<Date>`now() + make_interval(days => ${sql.lit(EMAIL_UNDO_DAYS)})`,
    })
    .where('id', '=', id)
    .where('confirm_hash', '=', confirm_hash)
    .where(IS_PENDING)
    .where('expires_at', '>', NOW)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A change that was made; undefined when the account is gone. */
export const findChange = (db: Db, id: string) =>
  db
    .selectFrom('email_changes')
    .innerJoin('customers', 'customers.id', 'email_changes.customer_id')
    .selectAll('email_changes')
    .select(['customers.email', 'customers.name', 'customers.second_step_ends_at'])
    .where('email_changes.id', '=', id)
    .where('email_changes.changed_at', 'is not', null)
    .executeTakeFirst()

/** Undefined when there is nothing to undo any more. */
export const setUndoLink = (db: Db, id: string, undoHash: Buffer): Promise<EmailChangeRow | undefined> =>
  db
    .updateTable('email_changes')
    .set({ undo_hash: undoHash })
    .where('id', '=', id)
    .where(IS_UNDOABLE)
    .returningAll()
    .executeTakeFirst()

export const findByUndoLink = (db: Db, undoHash: Buffer): Promise<EmailChangeRow | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('undo_hash', '=', undoHash)
    .where(IS_UNDOABLE)
    .executeTakeFirst()

/** Whose address a link has brought back, as long as it stands. */
export const findUndone = (db: Db, undoHash: Buffer) =>
  db
    .selectFrom('email_changes')
    .innerJoin('customers', 'customers.id', 'email_changes.customer_id')
    .select(['customers.email', 'customers.password_hash', 'customers.second_step_at', 'ended_at'])
    .where('undo_hash', '=', undoHash)
    .where('ended_at', 'is not', null)
    .whereRef('customers.email', '=', 'email_changes.old_email')
    .executeTakeFirst()

/**
 * Ends the change with what came after it, made or asked for; those before it can still be undone. Returns the id of the
 * change that gave the account the address that it has now; undefined when there is nothing to undo any more.
 */
export const endFrom = async (
  trx: Trx,
  { id, customer_id }: Pick<EmailChangeRow, 'id' | 'customer_id'>,
): Promise<string | undefined> => {
  const undoable = await listUndoable(trx, customer_id)
  const place = undoable.findIndex((change) => change.id === id)
  if (place < 0) return undefined
  await endPending(trx, customer_id)
  await trx
    .updateTable('email_changes')
    .set({ ended_at: NOW })
    .where(
      'id',
      'in',
      undoable.slice(0, place + 1).map((change) => change.id),
    )
    .execute()
  return undoable[0]?.id
}

/** Whether somebody's account has the address. Nobody's gives way to the owner of the mailbox. */
export const isSomebodys = async (db: Db, email: string): Promise<boolean> => {
  const query = db
    .selectFrom('customers')
    .select('id')
    .where('email', '=', email)
    .where(({ not }) => not(IS_NOBODYS))
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * What an operator brought for an address, to the customer who has shown to own it and who alone can log in. A change of address
 * does not show that: a stranger may ask for one, and have the mail's reader confirm it.
 */
export const takeBrought = async (trx: Trx, customerId: string, email: string): Promise<void> => {
  await sql`update connections set customer_id = ${customerId} where customer_id in (select id from customers
    where email = ${email} and id <> ${customerId} and confirmed_at is null)`.execute(trx)
}

/**
 * False when another account has the address. Nobody's has not: the customer who moves there has proved the
 * mailbox, and of the other nothing is kept.
 */
export const moveTo = async (trx: Trx, customerId: string, email: string): Promise<boolean> => {
  await trx
    .deleteFrom('customers')
    .where('email', '=', email)
    .where('id', '<>', customerId)
    .where(IS_NOBODYS)
    .execute()
  const row = await trx
    .updateTable('customers')
    .set({ email })
    .where('id', '=', customerId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('customers as others')
            .select('others.id')
            .where('others.email', '=', email)
            .where('others.id', '<>', customerId),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Some time after there is nothing left to do with them. */
export const deleteOldEmailChanges = (db: Db) =>
  deleteDue(db, 'email_changes', sql`coalesce(ended_at, undo_until, expires_at) < now() - interval '7 days'`)
