import type { Db } from '#database/client.ts'
import type { CustomerRow } from '#database/tables/accounts.table.ts'

export const findCustomerByEmail = (db: Db, email: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()

export const findCustomer = (db: Db, id: string): Promise<CustomerRow | undefined> =>
  db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
