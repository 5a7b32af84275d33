import * as partnership from '@hedgerow/contract/partnership'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { countCrossing, getPartnership } from './partnership.service.ts'

export const partnershipRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, partnership.getPartnership, (request) => getPartnership(deps, customerOf(request)))
  implement(
    app,
    partnership.countCrossing,
    async ({ body }) => {
      await countCrossing(deps, body.code)
      return {}
    },
    limited(deps.settings.rateLimitScale, 30, 10),
  )
}
