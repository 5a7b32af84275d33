import * as connections from '@hedgerow/contract/connections'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { mailConnection } from './connections.service.ts'

export const connectionsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(
    app,
    connections.mailConnection,
    async (request) => {
      await mailConnection(deps, customerOf(request), request.params.connectionId)
      return {}
    },
    limited(deps.settings.rateLimitScale, 30, 10),
  )
}
