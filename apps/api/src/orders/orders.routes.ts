import * as orders from '@hedgerow/contract/orders'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { customerOf } from '#http/session.ts'
import { createOrder, getOrder, listOrders } from '#orders/orders.service.ts'
import { setPromocode } from '#orders/set-promocode.ts'

export const ordersRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, orders.createOrder, (request) => createOrder(deps, customerOf(request), request.body))
  implement(app, orders.setPromocode, (request) =>
    setPromocode(deps, customerOf(request), request.params.id, request.body.promocode),
  )
  implement(app, orders.getOrder, (request) => getOrder(deps, customerOf(request), request.params.id))
  implement(app, orders.listOrders, (request) => listOrders(deps, customerOf(request)))
}
