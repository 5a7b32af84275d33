import { sql } from 'kysely'

/** The operation that the gateway booked for a payment's sale; null until it has told of it. `paymentId`: the column. */
export const saleOperation = (paymentId: string) => sql<string | null>`(
  select id from settlement_operations
  where payment_id = ${sql.ref(paymentId)} and kind = 'sale' and status = 'success'
  order by completed_at, id limit 1)`
