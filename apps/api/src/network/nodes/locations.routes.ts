import * as locations from '@hedgerow/contract/locations'
import type { FastifyInstance } from 'fastify'
import { rememberedLocations } from '#network/nodes/locations.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'

export const locationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const list = rememberedLocations(deps)
  implement(app, locations.listOpenLocations, async (_request, reply) => {
    const listed = await list()
    reply.header('cache-control', `public, max-age=${locations.LOCATIONS_FRESH_S}`)
    return listed
  })
}
