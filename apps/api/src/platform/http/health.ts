import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Db, isDatabaseFull } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'

/** A probe wants to know soon, and a server that hangs says nothing. */
const ANSWER_WITHIN_MS = 2_000

/** Whether the database answers in time. However many ask, it is asked once at a time. */
const createAsk = (db: Db) => {
  let asking: Promise<boolean> | undefined
  const ask = () => {
    const answer = sql`select from graphile_worker.jobs limit 1`.execute(db).then(
      () => true,
      () => false,
    )
    asking = answer
    void answer.then(() => {
      asking = undefined
    })
    return answer
  }
  return (): Promise<boolean> =>
    Promise.race([asking ?? ask(), pause(ANSWER_WITHIN_MS, false, { ref: false })])
}

/**
 * /healthz: the process lives. /readyz: it can serve, that is, the database and its queue answer and have room to write, and
 * it is not about to stop.
 */
export const addHealth = (app: FastifyInstance, { db }: { db: Db }, isLeaving: () => boolean): void => {
  const options = { schema: { hide: true }, config: { access: 'anyone' as const } }
  const isThere = createAsk(db)
  app.get('/healthz', options, () => ({ status: 'ok' }))
  app.get('/readyz', options, async () => {
    if (isLeaving() || isDatabaseFull(db) || !(await isThere()))
      throw new Problem('unavailable', { retryAfterSeconds: 2 })
    return { status: 'ready' }
  })
}
