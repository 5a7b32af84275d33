import type { Db } from '#database/client.ts'

export const listPasskeys = (db: Db, customerId: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
