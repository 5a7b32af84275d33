import type { Pool, PoolClient } from 'pg'
import { StartError } from '#platform/start-error.ts'

/** The number of the server process that a client got when it logged in. */
type LoggedIn = PoolClient & { processID: number }

const ROUNDS = 5

const serverOf = async (client: PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0

/** Between two questions a pooler in transaction mode hands one server process from one client to the other. */
const isShared = async (one: PoolClient, other: PoolClient): Promise<boolean> => {
  for (let round = 0; round < ROUNDS; round++)
    if ((await serverOf(one)) === (await serverOf(other))) return true
  return false
}

/**
 * Refuses a pooler that gives each transaction another server process: changes would not be heard of, locks would be held by
 * two, and statements be unknown. One that gives each client a process of its own will do.
 */
export const requireSessions = async (pool: Pool): Promise<void> => {
  const one = (await pool.connect()) as LoggedIn
  try {
    // Straight at the server, that is the process itself; a pooler makes numbers up.
    if ((await serverOf(one)) === one.processID) return
    const other = await pool.connect()
    const areShared = await isShared(one, other).finally(() => other.release())
    if (areShared)
      throw new StartError(
        'DATABASE_URL leads through a pooler in transaction mode, where nothing would be heard of changes and locks would not hold. Set pool_mode = session for this database, or connect straight to the server.',
      )
  } finally {
    one.release()
  }
}
