import { isUuid } from '@hedgerow/domain/ids'
import type { Db, Trx } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'

/** By name: so their statements are kept prepared (platform/database/prepared.ts), and no log-in has them planned anew. */
const COLUMNS = [
  'id',
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'address_country',
  'address_zip',
  'address_city',
  'address_string',
  'promocode',
  'referred_by',
  'password_hash',
  'terms_accepted_at',
  'confirmed_at',
  'signup_secret_hash',
  'redirect_path',
  'connections_made',
  'profile_version',
  'second_step_at',
  'second_step_ends_at',
  'way_back_hash',
  'created_at',
] as const

export const findCustomerByEmail = (db: Db, email: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').select(COLUMNS).where('email', '=', email.toLowerCase()).executeTakeFirst()

export const findCustomer = (db: Db, id: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Until the transaction ends, neither the address nor the password changes. */
export const holdCustomer = (trx: Trx, id: string): Promise<CustomerRow | undefined> =>
  trx.selectFrom('customers').select(COLUMNS).where('id', '=', id).forShare().executeTakeFirst()
/** What opens an account, as one text. */
export const lockOf = (customer: CustomerRow | undefined): string | undefined =>
  customer && [customer.password_hash, customer.second_step_at?.toISOString()].filter(Boolean).join('\n')

/** By the email address or the id. */
export const findAccount = async (db: Db, emailOrId: string): Promise<CustomerRow | undefined> => {
  if (emailOrId.includes('@')) return findCustomerByEmail(db, emailOrId)
  return isUuid(emailOrId) ? findCustomer(db, emailOrId) : undefined
}
