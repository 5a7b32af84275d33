import type { OrderStatus } from '@hedgerow/domain/order-status'
import { sql } from 'kysely'
import { ORDERED_LOCATION } from '#network/nodes/locations.service.ts'
import type { Db } from '#platform/database/client.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** An order as its operator is told of it. Whose it is stands in the account's number only. */
const facts = (db: Db) =>
  db
    .selectFrom('orders')
    .select([
      'orders.id',
      'orders.customer_id',
      'orders.status',
      'orders.days',
      'orders.connections',
      'orders.options',
      'orders.plan_id',
      'orders.plan_name',
      'orders.plan_period',
      'orders.price_minor',
      'orders.total_minor',
      'orders.promocode',
      'orders.currency',
      'orders.created_at',
      'orders.expires_at',
      sql<boolean>`orders.expires_at < now()`.as('is_late'),
      RENEWED,
      ORDERED_LOCATION,
      ({ selectFrom, fn }) =>
        selectFrom('payments')
          .select(fn.countAll<string>().as('count'))
          .whereRef('payments.order_id', '=', 'orders.id')
          .as('payments'),
    ])

export type OrderFacts = Awaited<ReturnType<typeof listOrderFacts>>[number]

export const findOrderFacts = (db: Db, id: string) => facts(db).where('orders.id', '=', id).executeTakeFirst()

export type OrderFilter = {
  since: Date
  status?: OrderStatus | undefined
  customerId?: string | undefined
}

/** Newest first. */
export const listOrderFacts = (db: Db, { since, status, customerId }: OrderFilter, limit: number) =>
  facts(db)
    .where('orders.created_at', '>=', since)
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status as OrderStatus))
    .$if(customerId !== undefined, (query) => query.where('orders.customer_id', '=', customerId as string))
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id')
    .limit(limit)
    .execute()

export type OrderSearch = {
  since?: Date | undefined
  until?: Date | undefined
  status?: OrderStatus | undefined
  customerId?: string | undefined
}

/** What a search finds, in no order. */
export const selectOrderFacts = (db: Db, { since, until, status, customerId }: OrderSearch) =>
  facts(db)
    .$if(since !== undefined, (query) => query.where('orders.created_at', '>=', since ?? new Date(0)))
    .$if(until !== undefined, (query) => query.where('orders.created_at', '<', until ?? new Date(0)))
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status as OrderStatus))
    .$if(customerId !== undefined, (query) => query.where('orders.customer_id', '=', customerId as string))
