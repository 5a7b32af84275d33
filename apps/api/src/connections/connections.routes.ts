import * as connections from '@hedgerow/contract/connections'
import type { FastifyInstance } from 'fastify'
import { listLocations, moveConnection, replaceKeys, saveConnection } from '#connections/change-connection.ts'
import { mailConnection } from '#connections/connections.service.ts'
import { readSharedConnection, revokeShareLink, shareConnection } from '#connections/share-link.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { customerOf } from '#http/session.ts'

export const connectionsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, connections.mailConnection, async (request) => {
    await mailConnection(deps, customerOf(request), request.params.connectionId)
    return {}
  })

  implement(app, connections.saveConnection, (request) =>
    saveConnection(deps, customerOf(request), request.params.connectionId, request.body),
  )

  implement(app, connections.replaceKeys, (request) =>
    replaceKeys(deps, customerOf(request), request.params.connectionId),
  )

  implement(app, connections.listLocations, (request) =>
    listLocations(deps, customerOf(request), request.params.connectionId),
  )

  implement(app, connections.moveConnection, (request) =>
    moveConnection(deps, customerOf(request), request.params.connectionId, request.body.location),
  )

  implement(app, connections.shareConnection, async (request) => ({
    url: await shareConnection(deps, customerOf(request), request.params.connectionId),
  }))

  implement(app, connections.revokeShareLink, async (request) => {
    await revokeShareLink(deps, customerOf(request), request.params.connectionId)
    return {}
  })

  implement(app, connections.readSharedConnection, ({ body }) => readSharedConnection(deps, body.token))
}
