import type { OrderStatus } from '@hedgerow/domain/order-status'
import { sql } from 'kysely'
import { ORDERED_LOCATION } from '#network/nodes/locations.service.ts'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'
import { saleOperation } from '#sales/invoices/sale-operation.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** An order as its operator is told of it. Whose it is stands in the account's number only. */
const facts = (db: Db) =>
  db
    .selectFrom('orders')
    .leftJoin('payments as paid', (join) =>
      join.onRef('paid.order_id', '=', 'orders.id').on('paid.is_invoiced', '=', true),
    )
    .leftJoin('invoices', (join) => join.onRef('invoices.order_id', '=', 'paid.order_id'))
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
      'paid.id as paid_id',
      'paid.charged_minor',
      'paid.charged_currency',
      'invoices.year as invoice_year',
      'invoices.number as invoice_number',
      saleOperation('paid.id').as('operation_id'),
      RENEWED,
      ORDERED_LOCATION,
      ({ selectFrom, fn }) =>
        selectFrom('payments')
          .select(fn.countAll<string>().as('count'))
          .whereRef('payments.order_id', '=', 'orders.id')
          .as('payments'),
    ])

export const findOrderFacts = (db: Db, id: string) => facts(db).where('orders.id', '=', id).executeTakeFirst()

/** An account's, the newest first. */
export const listOrderFactsOf = (db: Db, customerId: string, limit: number) =>
  facts(db)
    .where('orders.customer_id', '=', customerId)
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id')
    .limit(limit)
    .execute()

export type OrderFacts = Awaited<ReturnType<typeof listOrderFactsOf>>[number]

type OrderSearch = {
  since?: string | undefined
  until?: string | undefined
  status?: OrderStatus | undefined
  customerId?: string | undefined
}

/** What a search finds, in no order. */
export const selectOrderFacts = (db: Db, { since, until, status, customerId }: OrderSearch) =>
  facts(db)
    .$if(since !== undefined, (query) => query.where('orders.created_at', '>=', new Date(since ?? 0)))
    .$if(until !== undefined, (query) => query.where('orders.created_at', '<', new Date(until ?? 0)))
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status as OrderStatus))
    .$if(customerId !== undefined, (query) => query.where('orders.customer_id', '=', customerId as string))

/** What lists are sorted by. */
export const orderFactsOrder = {
  sorts: { createdAt: { by: sql`orders.created_at`, type: 'timestamptz' } },
  id: { by: sql`orders.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }
