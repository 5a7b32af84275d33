import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import { Problem } from '#http/problems.ts'

/**
 * /healthz: the process lives. /readyz: it can serve, that is, the database and its queue answer, and it is not about to
 * stop.
 */
export const addHealth = (app: FastifyInstance, { db }: { db: Db }, isLeaving: () => boolean): void => {
  const options = { schema: { hide: true }, config: { access: 'anyone' as const } }
  app.get('/healthz', options, () => ({ status: 'ok' }))
  app.get('/readyz', options, async () => {
    if (isLeaving()) throw new Problem('unavailable', { retryAfterSeconds: 2 })
    try {
      await sql`select from graphile_worker.jobs limit 1`.execute(db)
    } catch {
      throw new Problem('unavailable', { retryAfterSeconds: 2 })
    }
    return { status: 'ready' }
  })
}
