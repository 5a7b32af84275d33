import { nameFromEmail } from '@hedgerow/domain/names'
import { type Insertable, sql } from 'kysely'
import { deleteSessions } from '#people/sessions/sessions.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { CustomerRow, CustomersTable, LinkPurpose } from '#platform/database/tables/accounts.table.ts'

/** Undefined when the e-mail is taken. */
export const insertCustomer = (db: Db, row: Insertable<CustomersTable>) =>
  db
    .insertInto('customers')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()

/** Whose promocode it is, locked against going away; null when there is none. */
export const findPartnerByPromocode = async (trx: Trx, promocode: string): Promise<string | null> => {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('promocode', '=', promocode)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id ?? null
}

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
    // The job that makes it may run again, much later: the link works from then on.
    .onConflict((conflict) =>
      conflict
        .column('token_hash')
        .doUpdateSet((eb) => ({ expires_at: eb.ref('excluded.expires_at') }))
        .where('account_links.used_at', 'is', null),
    )
    .execute()

/** Whose link it is, as long as it works. */
export const findLinkedCustomer = (
  db: Db,
  tokenHash: Buffer,
  purpose: LinkPurpose,
): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('account_links')
    .innerJoin('customers', 'customers.id', 'account_links.customer_id')
    .selectAll('customers')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('account_links.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** Whose link it was that was used a moment ago. */
export const findLatelyLinked = (
  db: Db,
  tokenHash: Buffer,
  purpose: LinkPurpose,
  minutes: number,
): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('account_links')
    .innerJoin('customers', 'customers.id', 'account_links.customer_id')
    .selectAll('customers')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()

/** Whether a link to choose a password was mailed a moment ago, and can be looked for. */
export const isResetMailed = async (db: Db, customerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('account_links')
    .select('token_hash')
    .where('customer_id', '=', customerId)
    .where('purpose', '=', 'reset')
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - interval '10 minutes'`)
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

/** What a stranger who typed the address put into the account is not its owner's. */
const ownersOwn = (email: string) => ({
  name: nameFromEmail(email),
  referred_by: null,
  terms_accepted_at: sql<Date>`now()`,
})

/** By someone who knows the password, or holds what the browser was given that signed up. False when it has changed. */
export const confirmCustomer = async (
  trx: Trx,
  { id, password_hash }: Pick<CustomerRow, 'id' | 'password_hash'>,
): Promise<boolean> => {
  const row = await trx
    .updateTable('customers')
    .set({
      confirmed_at: sql<Date>`coalesce(confirmed_at, now())`,
      signup_secret_hash: null,
      redirect_path: null,
    })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The address is confirmed: the other links to do that have no purpose any more. */
export const deleteUnusedLinks = (trx: Trx, customerId: string, purposes: readonly LinkPurpose[]) =>
  trx
    .deleteFrom('account_links')
    .where('customer_id', '=', customerId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()

/**
 * The new password ends every session, every other link, and what was asked for of another address; the mailed link proves the address too. Where it had not been proved
 * before, a stranger may have made the account: of that nothing stays. Returns the hashes of the sessions
 * that ended.
 */
export const replacePassword = async (
  trx: Trx,
  { id, email, confirmed_at }: Pick<CustomerRow, 'id' | 'email' | 'confirmed_at'>,
  passwordHash: string,
): Promise<Buffer[]> => {
  await trx
    .updateTable('customers')
    .set({
      password_hash: passwordHash,
      confirmed_at: sql<Date>`coalesce(confirmed_at, now())`,
      signup_secret_hash: null,
      redirect_path: null,
      ...(confirmed_at ? {} : ownersOwn(email)),
    })
    .where('id', '=', id)
    .execute()
  await deleteUnusedLinks(trx, id, ['confirm', 'reset'])
  return deleteSessions(trx, id)
}

/**
 * Where the customer goes on to once a new password is chosen. An account that waits to be confirmed keeps what it was
 * opened with: anyone may ask here.
 */
export const keepRedirect = (trx: Trx, customerId: string, path: string | null) =>
  trx
    .updateTable('customers')
    .set({ redirect_path: path })
    .where('id', '=', customerId)
    .where('confirmed_at', 'is not', null)
    .execute()

/** An account whose address was not confirmed: nothing can be bought or asked for without, and nothing was brought for it. */
export const IS_NOBODYS = sql<boolean>`(customers.confirmed_at is null
  and not exists (select from orders where customer_id = customers.id)
  and not exists (select from connections where customer_id = customers.id))`

export const deleteUnconfirmed = (db: Db, days: number) =>
  deleteDue(db, 'customers', sql`${IS_NOBODYS} and created_at < now() - make_interval(days => ${days})`)

/** Those that ended more than a month ago. */
export const deleteEndedLinks = (db: Db) =>
  deleteDue(db, 'account_links', sql`expires_at < now() - interval '30 days'`)
