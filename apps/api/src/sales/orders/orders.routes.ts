import * as orders from '@hedgerow/contract/orders'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { sendPage } from '#platform/http/list-page.ts'
import { createOrder, getOrder, listOrders } from '#sales/orders/orders.service.ts'
import { setPromocode } from '#sales/orders/set-promocode.ts'

export const ordersRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, orders.createOrder, ({ customerId, body }) => createOrder(deps, customerId, body))
  implement(app, orders.setPromocode, ({ customerId, params, body }) =>
    setPromocode(deps, customerId, params.id, body.promocode),
  )
  implement(app, orders.getOrder, ({ customerId, params }) => getOrder(deps, customerId, params.id))
  implement(app, orders.listOrders, async ({ customerId, query }, reply) =>
    sendPage(reply, orders.listOrders, await listOrders(deps, customerId, query.after)),
  )
}
