import {
  exportOrders,
  getConsoleOrder,
  type ListedOrder,
  listConsoleOrders,
} from '@hedgerow/contract/console/payments'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { labelsOf } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { getOrderReport } from '#desk/backoffice/operate-orders.ts'
import { type OrderFacts, selectOrderFacts } from '#desk/backoffice/order-facts.queries.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { dateOf } from '#desk/console/payments.routes.ts'
import { listedOrder, listedPayment } from '#desk/console/present-payments.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import { Problem } from '#platform/http/problems.ts'

const orders: ListDefinition<
  z.output<typeof listConsoleOrders.schema.querystring>,
  OrderFacts,
  ListedOrder
> = {
  query: (db, { since, until, ...filter }) =>
    selectOrderFacts(db, { ...filter, since: dateOf(since), until: dateOf(until) }),
  sorts: { createdAt: { by: sql`orders.created_at`, type: 'timestamptz' } },
  id: { by: sql`orders.id`, type: 'uuid' },
  show: listedOrder,
  columns: [
    { name: 'id', title: 'Order', cell: ({ id }) => id },
    { name: 'createdAt', title: 'Made (UTC)', cell: ({ createdAt }) => createdAt },
    { name: 'status', title: 'Status', cell: ({ status }) => status },
    { name: 'what', title: 'For', cell: ({ what }) => plainText(what) },
    { name: 'total', title: 'Sum', cell: ({ total }) => formatMinorOf(total.minor, total.currency) },
    { name: 'currency', title: 'Currency', cell: ({ total }) => total.currency },
    { name: 'promocode', title: 'Promocode', cell: ({ promocode }) => promocode ?? '' },
    { name: 'payments', title: 'Attempts to pay', cell: ({ payments }) => String(payments) },
    { name: 'customerId', title: 'Customer', cell: ({ customerId }) => customerId ?? '' },
  ],
}

export const consoleOrdersRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  serveList(app, deps, { list: listConsoleOrders, file: exportOrders, fileName: 'orders' }, orders)

  implementForOperators(app, deps, getConsoleOrder, async ({ params, operator }) => {
    const report = await getOrderReport(deps, params.orderId)
    if (!report) throw new Problem('order-not-found')
    const { order, payments } = report
    return {
      ...listedOrder(order, operator),
      price: { minor: order.price_minor, currency: order.currency },
      features: labelsOf(order.options),
      location: order.location?.name ?? null,
      attempts: payments.map((one) => listedPayment(one, operator)),
    }
  })
}
