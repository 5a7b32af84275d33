import * as connections from '@hedgerow/contract/connections'
import { NEW_KEYS_A_DAY } from '@hedgerow/domain/connections'
import type { FastifyInstance } from 'fastify'
import { listLocations, moveConnection, replaceKeys, saveConnection } from '#connections/change-connection.ts'
import { mailConnection } from '#connections/connections.service.ts'
import { readSharedConnection, revokeShareLink, shareConnection } from '#connections/share-link.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { limited, limitedByCustomer } from '#http/rate-limits.ts'
import { customerOf } from '#http/session.ts'

const A_DAY = 24 * 60

export const connectionsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { rateLimitScale } = deps.settings
  const seldom = limited(rateLimitScale, 30, 10)
  const often = limited(rateLimitScale, 120, 10)
  // One count for both ways to new keys.
  const newKeys = { preHandler: limitedByCustomer(app, rateLimitScale, NEW_KEYS_A_DAY, A_DAY) }

  implement(
    app,
    connections.mailConnection,
    async (request) => {
      await mailConnection(deps, customerOf(request), request.params.connectionId)
      return {}
    },
    seldom,
  )

  implement(
    app,
    connections.saveConnection,
    (request) => saveConnection(deps, customerOf(request), request.params.connectionId, request.body),
    often,
  )

  implement(
    app,
    connections.replaceKeys,
    (request) => replaceKeys(deps, customerOf(request), request.params.connectionId),
    newKeys,
  )

  implement(app, connections.listLocations, (request) =>
    listLocations(deps, customerOf(request), request.params.connectionId),
  )

  implement(
    app,
    connections.moveConnection,
    (request) =>
      moveConnection(deps, customerOf(request), request.params.connectionId, request.body.location),
    newKeys,
  )

  implement(
    app,
    connections.shareConnection,
    async (request) => ({
      url: await shareConnection(deps, customerOf(request), request.params.connectionId),
    }),
    seldom,
  )

  implement(
    app,
    connections.revokeShareLink,
    async (request) => {
      await revokeShareLink(deps, customerOf(request), request.params.connectionId)
      return {}
    },
    often,
  )

  implement(
    app,
    connections.readSharedConnection,
    ({ body }) => readSharedConnection(deps, body.token),
    often,
  )
}
