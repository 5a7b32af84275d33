import { payPlanByHostedCard } from '@hedgerow/contract/hosted-card'
import * as payments from '@hedgerow/contract/payments'
import * as shop from '@hedgerow/contract/plans'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { CARD_BODY_BYTES, payerOf } from '#payments/payer.ts'
import { limited } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { buyPlan, buyPlanOnPage, listItems, listLayers } from './shop.service.ts'

export const shopRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, shop.listLayers, () => listLayers(deps))
  implement(app, shop.listItems, () => listItems(deps))
  const likeCards = { ...limited(deps.settings.rateLimitScale, 30, 10), bodyLimit: CARD_BODY_BYTES }
  if (deps.settings.cardForm === 'hosted') {
    implement(
      app,
      payPlanByHostedCard,
      async (request) => ({ _id: await buyPlanOnPage(deps, customerOf(request), request.body) }),
      likeCards,
    )
    return
  }
  implement(
    app,
    payments.payPlanByCard,
    async (request) => ({
      _id: await buyPlan(deps, customerOf(request), request.body, payerOf(request)),
    }),
    likeCards,
  )
}
