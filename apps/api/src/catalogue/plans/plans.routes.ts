import * as plans from '@hedgerow/contract/plans'
import type { FastifyInstance } from 'fastify'
import type { PlanDependencies } from '#catalogue/plans/plans.service.ts'
import { answerCached } from '#platform/http/cached-reply.ts'
import { implement } from '#platform/http/implement.ts'

/** May be kept, and is asked for each time: a change is on sale at once. */
const ASKED_EACH_TIME = 'no-cache'

export const plansRoutes = (app: FastifyInstance, { onSale }: PlanDependencies): void => {
  implement(app, plans.listLayers, async (request, reply) =>
    answerCached(request, reply, (await onSale.lists()).layers, ASKED_EACH_TIME),
  )
  implement(app, plans.listItems, async (request, reply) =>
    answerCached(request, reply, (await onSale.lists()).items, ASKED_EACH_TIME),
  )
}
