import * as status from '@hedgerow/contract/status'
import { plainAddress } from '@hedgerow/domain/networks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { createAddressCheck, createStatusReader } from '#status/status.service.ts'

/** As long as caches between may keep it. */
const CACHED_S = 15

const LONGEST_HEADER = 1_000

/** Whether a caller has it already. A weak one does: a proxy that compresses makes them so. */
const names = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.length <= LONGEST_HEADER &&
  header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** Whether the caller has it already, and gets 304 for that. */
const isKept = ({ headers }: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, etag: string): boolean => {
  reply.headers({ 'cache-control': `public, max-age=${CACHED_S}`, etag })
  const isKnown = names(headers['if-none-match'], etag)
  if (isKnown) reply.code(304)
  return isKnown
}

export const statusRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const readStatus = createStatusReader(deps)
  const placeOf = createAddressCheck(deps)
  implement(app, status.getStatus, async (request, reply) => {
    const { status, json, etag } = await readStatus()
    const text = isKept(request, reply, etag) ? '' : json
    reply.serializer(() => text)
    return status
  })
  app.get(
    '/status.atom',
    { schema: { hide: true }, config: { access: 'anyone' } },
    async (request, reply) => {
      const { feed, etag } = await readStatus()
      const text = isKept(request, reply, etag) ? '' : feed
      return reply.type('application/atom+xml; charset=utf-8').send(text)
    },
  )
  implement(app, status.checkAddress, async ({ ip }) => ({
    address: plainAddress(ip),
    place: await placeOf(ip),
  }))
}
