import {
  exportOrders,
  getConsoleOrder,
  type ListedOrder,
  listConsoleOrders,
} from '@hedgerow/contract/console/orders'
import { labelsOf } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import {
  findOrderFacts,
  type OrderFacts,
  orderFactsOrder,
  selectOrderFacts,
} from '#desk/orders/order-facts.queries.ts'
import { listedOrder } from '#desk/orders/orders.present.ts'
import { listFactsOfOrder } from '#desk/payments/payment-facts.queries.ts'
import { listedPayment } from '#desk/payments/payments.present.ts'
import { Problem } from '#platform/http/problems.ts'

const locationOf = ({ location }: OrderFacts) =>
  location && { name: location.name, isChosen: location.is_chosen, insteadOf: location.instead_of }

const orders: ListDefinition<
  z.output<typeof listConsoleOrders.schema.querystring>,
  OrderFacts,
  ListedOrder
> = {
  query: selectOrderFacts,
  ...orderFactsOrder,
  show: listedOrder,
  columns: fileColumns(listConsoleOrders.columns),
}

/** What customers have ordered, paid or not. */
export const ordersRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  serveList(app, deps, { list: listConsoleOrders, file: exportOrders, fileName: 'orders' }, orders)

  implementForOperators(app, deps, getConsoleOrder, async ({ params, operator }) => {
    const order = await findOrderFacts(deps.db, params.orderId)
    if (!order) throw new Problem('order-not-found')
    return {
      ...listedOrder(order, operator),
      planId: order.plan_id,
      price: { minor: order.price_minor, currency: order.currency },
      features: labelsOf(order.options),
      location: locationOf(order),
      attempts: (await listFactsOfOrder(deps.db, order.id)).map((one) => listedPayment(one, operator)),
    }
  })
}
