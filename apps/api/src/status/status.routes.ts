import * as status from '@hedgerow/contract/status'
import { plainAddress } from '@hedgerow/domain/networks'
import type { FastifyInstance } from 'fastify'
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

export const statusRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const readStatus = createStatusReader(deps)
  const placeOf = createAddressCheck(deps)
  implement(app, status.getStatus, async ({ headers }, reply) => {
    const { status, etag } = await readStatus()
    reply.headers({ 'cache-control': `public, max-age=${CACHED_S}`, etag })
    // Node.js sends no body with it.
    if (names(headers['if-none-match'], etag)) reply.code(304)
    return status
  })
  implement(app, status.checkAddress, async ({ ip }) => ({
    address: plainAddress(ip),
    place: await placeOf(ip),
  }))
}
