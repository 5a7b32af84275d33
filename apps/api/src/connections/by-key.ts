import { sql } from 'kysely'

/*
 * What belongs to one of many rows is looked up by its key, whatever the planner thinks of the tables: where it knows nothing of
 * them yet, as in a new shop or after a rush, it would go through all of the last payments or orders for each row.
 */

/** Beside a row `bought` with a payment's id. */
export const PAYMENT_OF_BOUGHT = sql`cross join lateral (
  select * from payments where id = bought.payment_id offset 0
) as payments`

/** Beside a row of `payments`. */
export const ORDER_OF_PAYMENT = sql`cross join lateral (
  select * from orders where id = payments.order_id offset 0
) as orders`
