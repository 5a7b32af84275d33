import { sql } from 'kysely'

/*
 * What belongs to one of many rows is looked up by its key, whatever the planner thinks of the tables: where it knows nothing of
 * them yet, as in a new shop or after a rush, it would go through all of the last payments or orders for each row. Columns by name,
 * so that the statements are kept prepared (platform/database/prepared.ts).
 */

/** Beside a row `bought` with a payment's id. */
export const PAYMENT_OF_BOUGHT = sql`cross join lateral (
  select id, order_id, status, refund_due, cancelled_at, refunded_minor, charged_minor, disputed_minor, ended_at
  from payments where id = bought.payment_id offset 0
) as payments`

/** Beside a row of `payments`. */
export const ORDER_OF_PAYMENT = sql`cross join lateral (
  select days, currency, plan_id, location_id, location_is_chosen, delivered_location_id
  from orders where id = payments.order_id offset 0
) as orders`
