import { type Insertable, sql, type Transaction } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { OrdersTable } from './orders.table.ts'

type Trx = Transaction<Database>

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

export const listEveryOrderRow = (db: Db, customerId: string) =>
  withPayment(db, customerId).orderBy('orders.created_at').execute()

/** In one order for everyone, so that two who lock several do not wait for each other. */
export const lockOrderRows = (trx: Trx, customerId: string) =>
  trx
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Orders that nobody ever tried to pay go; the others stay, without the customer. */
export const cutOrdersFrom = async (trx: Trx, customerId: string): Promise<void> => {
  await trx
    .deleteFrom('orders')
    .where('customer_id', '=', customerId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('payments').select('payments.id').whereRef('payments.order_id', '=', 'orders.id')),
      ),
    )
    .execute()
  await trx.updateTable('orders').set({ customer_id: null }).where('customer_id', '=', customerId).execute()
}
