import type { Db, Trx } from '#database/client.ts'
import type { CustomerRow } from '#database/tables/accounts.table.ts'

export const findCustomerByEmail = (db: Db, email: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()

export const findCustomer = (db: Db, id: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()

/** Until the transaction ends, neither the address nor the password changes. */
export const holdCustomer = (trx: Trx, id: string): Promise<CustomerRow | undefined> =>
  trx.selectFrom('customers').selectAll().where('id', '=', id).forShare().executeTakeFirst()
