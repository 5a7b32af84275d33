import { sql } from 'kysely'
import type { Trx } from '#platform/database/client.ts'

/**
 * The partner, locked: a partner's money moves only under this lock, taken after the locks of orders, payments
 * and connections. Undefined when the account is erased.
 */
export const lockPartner = async (trx: Trx, id: string) => {
  await sql`
    insert into partners (customer_id) select id from customers where id = ${id} for key share
    on conflict do nothing`.execute(trx)
  return trx
    .selectFrom('partners')
    .select(['customer_id', 'promocode_uses', 'promocode_limit', 'promocode_closed_at'])
    .where('customer_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
