import type { CurrencyCode } from '@hedgerow/domain/money'
import { type Insertable, sql } from 'kysely'
import { ORDERED_LOCATION, roomFor } from '#network/nodes/locations.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { OrdersTable } from '#platform/database/tables/orders.table.ts'
import { readPage } from '#platform/http/keyset.ts'
import type { OrderSums, OrderTerms } from '#sales/orders/order-sums.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** False, and nothing is written, where no location has room for so many new connections; 0 asks for none. */
export const insertOrder = async (
  db: Db,
  row: Omit<Insertable<OrdersTable>, 'expires_at'>,
  lifetimeHours: number,
  toMake: number,
): Promise<boolean> => {
  const end = sql`now() + make_interval(hours => ${lifetimeHours})`
  const chosenId = row.location_is_chosen ? row.location_id : null
  const room = roomFor(sql`${toMake}::integer`, sql`null::uuid`, sql`${chosenId}::uuid`)
  const { numAffectedRows } = await sql`
    insert into orders (${sql.join(Object.keys(row).map((column) => sql.ref(column)))}, expires_at)
    select ${sql.join(Object.values(row))}, ${end}${toMake > 0 ? sql` where ${room}` : sql``}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Orders a plan, or finds the order of it that the customer has not paid yet: a second press, another tab and the next
 * try after a decline all meet the same one. It can be paid for so long from now. The terms of an order that was there stay
 * as they are, because a payment of it may be under way. Returns its id.
 */
export const insertPlanOrder = async (
  db: Db,
  row: Omit<Insertable<OrdersTable>, 'expires_at'>,
  lifetimeHours: number,
): Promise<string> => {
  const { id } = await db
    .insertInto('orders')
    .values({ ...row, expires_at: sql<Date>`now() + make_interval(hours => ${lifetimeHours})` })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'plan_id'])
        .where('plan_id', 'is not', null)
        .where('status', '<>', sql.lit('Completed'))
        .doUpdateSet((set) => ({ expires_at: set.ref('excluded.expires_at') })),
    )
    .returning('orders.id')
    .executeTakeFirstOrThrow()
  return id
}

/** The attempt under way to pay a customer's order of a plan. */
export const findPlanAttempt = (db: Db, customerId: string, planId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('payments.id')
    .where('orders.customer_id', '=', customerId)
    .where('orders.plan_id', '=', planId)
    .where('orders.status', '<>', 'Completed')
    .where('payments.ended_at', 'is', null)
    .where('payments.abandoned_at', 'is', null)
    .executeTakeFirst()

/** The payment that bought a plan for a customer within the last seconds, if one did. */
export const findRecentPurchase = (db: Db, customerId: string, planId: string, seconds: number) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('payments.id')
    .where('orders.customer_id', '=', customerId)
    .where('orders.plan_id', '=', planId)
    .where('orders.status', '=', 'Completed')
    .where('payments.status', '=', 'Success')
    .where('payments.cancelled_at', 'is', null)
    .where('payments.ended_at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .executeTakeFirst()

/** Orders are locked before their payments, by everyone who locks both. */
export const lockOrder = (trx: Db, id: string) =>
  trx
    .selectFrom('orders')
    .select(['customer_id', 'promocode', 'price_minor'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The attempt under way to pay an order. */
export const findLivePayment = (db: Db, orderId: string) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .where('ended_at', 'is', null)
    .where('abandoned_at', 'is', null)
    .executeTakeFirst()

/** The payment that bought what an order is for. Those that came twice bought nothing. */
export const findPaidBy = (db: Db, orderId: string) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'Success')
    .where('refund_due', '=', false)
    .executeTakeFirst()

/** A customer's order, which no payment can be started for until the transaction ends. */
export const lockOrderOf = (trx: Trx, customerId: string, id: string) =>
  trx
    .selectFrom('orders')
    .select([
      'id',
      'plan_id',
      'status',
      'price_minor',
      'total_minor',
      'currency',
      sql<boolean>`expires_at <= now()`.as('has_expired'),
    ])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Writes other sums, or all terms, into an order that is not paid. To be called with the order locked: nothing happens to
 * one that has an attempt under way, since what is being paid has been shown to the customer.
 */
export const setOrderSums = async (trx: Trx, id: string, sums: OrderSums | OrderTerms): Promise<void> => {
  await trx
    .updateTable('orders')
    .set({ ...sums, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '<>', 'Completed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.order_id', '=', 'orders.id')
            .where('ended_at', 'is', null)
            .where('abandoned_at', 'is', null),
        ),
      ),
    )
    .execute()
}

/** An order with the card that paid it, if one did. */
const withPayment = (db: Db, customerId: string) =>
  db
    .selectFrom('orders')
    .leftJoin('payments', (join) =>
      join.onRef('payments.order_id', '=', 'orders.id').on('payments.delivered_at', 'is not', null),
    )
    .selectAll('orders')
    .select([
      'payments.auth_code',
      'payments.pan_masked',
      'payments.card_holder',
      RENEWED,
      ORDERED_LOCATION,
      sql<boolean>`orders.expires_at <= now()`.as('has_expired'),
    ])
    .where('orders.customer_id', '=', customerId)

export type OrderWithPayment = Awaited<ReturnType<typeof readOrders>>['rows'][number]

export const findOrderRow = (db: Db, customerId: string, id: string) =>
  withPayment(db, customerId).where('orders.id', '=', id).executeTakeFirst()

/** Those that the calculator made; what was paid for plans stands in the payment history. */
export const readOrders = (db: Db, customerId: string, rows: number, after?: string) =>
  readPage(
    withPayment(db, customerId)
      .where('orders.plan_id', 'is', null)
      // A check on the table demands it of them.
      .$narrowType<{ days: number }>(),
    {
      key: { by: sql`orders.created_at`, type: 'timestamptz' },
      isDescending: true,
      id: { by: sql`orders.id`, type: 'uuid' },
    },
    rows,
    after,
  )

export type AnyOrderWithPayment = Awaited<ReturnType<typeof listEveryOrderRow>>[number]

export const listEveryOrderRow = (db: Db, customerId: string) =>
  withPayment(db, customerId).orderBy('orders.created_at').execute()

/** An order of nothing: it holds a payment whose purchase is not known here. */
export const insertEmptyOrder = async (
  trx: Trx,
  row: { id: string; total_minor: number; currency: CurrencyCode },
): Promise<void> => {
  await trx
    .insertInto('orders')
    .values({
      ...row,
      customer_id: null,
      days: null,
      connections: 0,
      options: 0,
      expires_at: sql<Date>`now()`,
    })
    .execute()
}

/** In one order for everyone, so that two who lock several do not wait for each other. */
export const lockOrderRows = (trx: Trx, customerId: string) =>
  trx
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .forUpdate()
    .execute()

export const countOrders = async (trx: Trx, customerId: string): Promise<number> => {
  const { orders } = await trx
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('orders'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return Number(orders)
}

/** Orders without an attempt go; the others stay, without the customer. */
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
