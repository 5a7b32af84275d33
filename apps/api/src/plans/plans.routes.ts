import * as plans from '@hedgerow/contract/plans'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { listItems, listLayers } from '#plans/plans.service.ts'

export const plansRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, plans.listLayers, () => listLayers(deps))
  implement(app, plans.listItems, () => listItems(deps))
}
