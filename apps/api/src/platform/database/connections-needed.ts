import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** Its pool, the queue's, the connection that listens, and those for operators' files. */
export const OF_A_PROCESS = 22

/** Says at the start what would be refused under load: several processes may want more connections than there are. */
export const warnOfFewConnections = async (
  db: Db,
  processes: number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> => {
  const { rows } = await sql<{ most: number }>`
    select current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer as most`.execute(db)
  const [{ most } = { most: Number.POSITIVE_INFINITY }] = rows
  const wanted = processes * OF_A_PROCESS
  if (wanted > most)
    log.warn(
      { processes, wanted, most },
      'the processes may want more connections than the database allows: raise max_connections or lower PROCESSES',
    )
}
