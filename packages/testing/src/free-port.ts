import { randomInt } from 'node:crypto'
import { isPortFree } from '@hedgerow/embedded-postgres/ports'

/** As freePort of the product: below what systems give to outgoing connections. */
const LOWEST = 15_000
/** Test files that run at once have different numbers of these (VITEST_POOL_ID), and ports of their own by it. */
const POOLS = 16
const PORTS_OF_POOL = 1_060
const TRIES = 200

const given = new Set<number>()

/**
 * A port that nothing listens on, and that no test that runs beside this one is given: between the choice and the start of what
 * listens there lie seconds.
 */
export const freePort = async (): Promise<number> => {
  const pool = Number(process.env.VITEST_POOL_ID ?? 0) % POOLS
  for (let tried = 0; tried < TRIES; tried++) {
    const port = LOWEST + pool * PORTS_OF_POOL + randomInt(PORTS_OF_POOL)
    if (given.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue
    given.add(port)
    return port
  }
  throw new Error('No port is free.')
}
