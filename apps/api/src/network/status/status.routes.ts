import * as status from '@hedgerow/contract/status'
import { plainAddress } from '@hedgerow/domain/networks'
import type { FastifyInstance } from 'fastify'
import { createAddressCheck, createStatusReader } from '#network/status/status.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { answerCached, isKept } from '#platform/http/cached-reply.ts'
import { implement } from '#platform/http/implement.ts'

/** As long as caches between may keep it. */
const CACHED = 'public, max-age=15'

export const statusRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const readStatus = createStatusReader(deps)
  const placeOf = createAddressCheck(deps)
  implement(app, status.getStatus, async (request, reply) =>
    answerCached(request, reply, await readStatus(), CACHED),
  )
  app.get(
    '/status.atom',
    { schema: { hide: true }, config: { access: 'anyone' } },
    async (request, reply) => {
      const { feed, etag } = await readStatus()
      const text = isKept(request, reply, etag, CACHED) ? '' : feed
      return reply.type('application/atom+xml; charset=utf-8').send(text)
    },
  )
  implement(app, status.checkAddress, async ({ ip }) => ({
    address: plainAddress(ip),
    place: await placeOf(ip),
  }))
}
