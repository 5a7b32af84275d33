import { type Insertable, sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { OrdersTable } from './orders.table.ts'

export const insertOrder = (
  db: Db,
  row: Omit<Insertable<OrdersTable>, 'expires_at'>,
  lifetimeHours: number,
) =>
  db
    .insertInto('orders')
    .values({ ...row, expires_at: sql<Date>`now() + make_interval(hours => ${lifetimeHours})` })
    .execute()

/** An order with the card that paid it, if one did. */
const withPayment = (db: Db, customerId: string) =>
  db
    .selectFrom('orders')
    .leftJoin('payments', (join) =>
      join.onRef('payments.order_id', '=', 'orders.id').on('payments.delivered_at', 'is not', null),
    )
    .selectAll('orders')
    .select(['payments.auth_code', 'payments.pan_masked', 'payments.card_holder'])
    .where('orders.customer_id', '=', customerId)

export type OrderWithPayment = Awaited<ReturnType<typeof listOrderRows>>[number]

export const findOrderRow = (db: Db, customerId: string, id: string) =>
  withPayment(db, customerId).where('orders.id', '=', id).executeTakeFirst()

export const listOrderRows = (db: Db, customerId: string, limit: number) =>
  withPayment(db, customerId).orderBy('orders.created_at', 'desc').limit(limit).execute()
