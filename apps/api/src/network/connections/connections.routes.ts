import * as connections from '@hedgerow/contract/connections'
import type { FastifyInstance } from 'fastify'
import {
  listLocations,
  moveConnection,
  replaceKeys,
  saveConnection,
} from '#network/connections/change-connection.ts'
import { listConnections, mailConnection } from '#network/connections/connections.service.ts'
import {
  makeFileAddress,
  readConnectionFile,
  withdrawFileAddress,
} from '#network/connections/file-address.ts'
import { readSharedConnection, revokeShareLink, shareConnection } from '#network/connections/share-link.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { isKept } from '#platform/http/cached-reply.ts'
import { implement } from '#platform/http/implement.ts'
import { sendPage } from '#platform/http/list-page.ts'
import { callerOf } from '#platform/http/session.ts'

export const connectionsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, connections.listConnections, async ({ customerId, query }, reply) =>
    sendPage(reply, connections.listConnections, await listConnections(deps, customerId, query.after)),
  )

  implement(app, connections.mailConnection, async ({ customerId, params }) => {
    await mailConnection(deps, customerId, params.connectionId)
    return {}
  })

  implement(app, connections.saveConnection, (request) =>
    saveConnection(deps, callerOf(request), request.params.connectionId, request.body),
  )

  implement(app, connections.replaceKeys, (request) =>
    replaceKeys(deps, callerOf(request), request.params.connectionId, request.body ?? {}),
  )

  implement(app, connections.listLocations, ({ customerId, params }) =>
    listLocations(deps, customerId, params.connectionId),
  )

  implement(app, connections.moveConnection, (request) =>
    moveConnection(deps, callerOf(request), request.params.connectionId, request.body),
  )

  implement(app, connections.shareConnection, (request) =>
    shareConnection(deps, callerOf(request), request.params.connectionId),
  )

  implement(app, connections.revokeShareLink, async ({ customerId, params }) => {
    await revokeShareLink(deps, customerId, params.connectionId)
    return {}
  })

  implement(app, connections.makeFileAddress, (request) =>
    makeFileAddress(deps, callerOf(request), request.params.connectionId),
  )

  implement(app, connections.endFileAddress, async ({ customerId, params }) => {
    await withdrawFileAddress(deps, customerId, params.connectionId)
    return {}
  })

  implement(app, connections.readConnectionFile, async (request, reply) => {
    const { name, text, etag } = await readConnectionFile(deps, request.params.file)
    reply.headers({ 'content-disposition': `attachment; filename="${name}"`, 'x-robots-tag': 'noindex' })
    const isKnown = isKept(request, reply, etag, 'private, no-cache')
    reply.type('application/octet-stream')
    return Buffer.from(isKnown ? '' : text)
  })

  implement(app, connections.readSharedConnection, ({ body }) => readSharedConnection(deps, body.token))
}
