import { sql, type Updateable } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { CustomerRow, CustomersTable } from '#platform/database/tables/accounts.table.ts'

/** Undefined when there is no such account, or it was saved since the version that the change starts from. */
export const updateProfile = (
  db: Db,
  id: string,
  change: Updateable<CustomersTable>,
  version: number | undefined,
): Promise<CustomerRow | undefined> =>
  db
    .updateTable('customers')
    .set({ ...change, profile_version: sql<number>`profile_version + 1` })
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('profile_version', '<=', version ?? 0))
    .returningAll()
    .executeTakeFirst()

/** False when the password is no longer the one that was checked: of two changes at once, one wins. */
export const swapPassword = async (
  trx: Trx,
  id: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> => {
  const row = await trx
    .updateTable('customers')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', oldHash)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listAllSessions = (db: Db, customerId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'browser', 'network', 'created_at', 'last_used_at', 'proved_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute()

export const listLinkTimes = (db: Db, customerId: string) =>
  db
    .selectFrom('account_links')
    .select(['purpose', 'created_at', 'expires_at', 'used_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute()

/**
 * Nothing new can be written for the account until the transaction ends. Returns its address; undefined when there is no
 * such account.
 */
export const lockCustomer = async (trx: Trx, id: string): Promise<string | undefined> => {
  const row = await trx
    .selectFrom('customers')
    .select('email')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.email
}

/** Its links go with it. */
export const deleteCustomer = (trx: Trx, id: string) =>
  trx.deleteFrom('customers').where('id', '=', id).execute()

export const insertFarewell = (trx: Trx, id: string, email: string) =>
  trx.insertInto('farewells').values({ id, email }).execute()

export const findFarewell = (db: Db, id: string) =>
  db.selectFrom('farewells').select('email').where('id', '=', id).executeTakeFirst()

/** Of accounts that had this address before. */
export const listFarewells = (db: Db, email: string) =>
  db
    .selectFrom('farewells')
    .select(['id', 'created_at'])
    .where('email', '=', email)
    .orderBy('created_at')
    .execute()

export const deleteFarewell = (db: Db, id: string) =>
  db.deleteFrom('farewells').where('id', '=', id).execute()

/** Mails that could not be sent in all the tries that the queue makes. */
export const deleteOldFarewells = (db: Db) =>
  deleteDue(db, 'farewells', sql`created_at < now() - interval '3 days'`)
