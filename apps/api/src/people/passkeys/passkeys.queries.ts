import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { PasskeyRow, PasskeysTable } from '#platform/database/tables/security.table.ts'

export const listPasskeys = (db: Db, customerId: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** By the id that its authenticator gave it, base64url. */
export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()

export const isPasskeyThere = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx.selectFrom('passkeys').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** False when it has signed as often before, as far as it counts at all: 0 is said by those that do not. */
export const noteUse = async (trx: Trx, id: string, counter: number): Promise<boolean> => {
  const row = await trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(({ eb, or, and, val }) =>
      or([eb('counter', '<', String(counter)), and([eb('counter', '=', '0'), eb(val(counter), '=', 0)])]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const findOwner = (db: Db, customerId: string) =>
  db.selectFrom('customers').select(['email', 'name']).where('id', '=', customerId).executeTakeFirst()

export type NewPasskey = Pick<
  PasskeysTable,
  'id' | 'customer_id' | 'credential_id' | 'public_key' | 'transports' | 'is_synced' | 'name'
> & { counter: number }

/** Undefined where an account has it already, this one or another. */
export const insertPasskey = (trx: Trx, passkey: NewPasskey): Promise<PasskeyRow | undefined> =>
  trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()

type Owned = { customerId: string; id: string }

export const updatePasskeyName = (
  db: Db,
  { customerId, id }: Owned,
  name: string,
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** All that were added since; all there are, without a time. */
export const deletePasskeys = (trx: Trx, customerId: string, since?: Date) =>
  trx
    .deleteFrom('passkeys')
    .where('customer_id', '=', customerId)
    .$if(since !== undefined, (query) => query.where('created_at', '>', since as Date))
    .returning('id')
    .execute()

export const deletePasskey = (trx: Trx, { customerId, id }: Owned) =>
  trx
    .deleteFrom('passkeys')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .returning('credential_id')
    .executeTakeFirst()
