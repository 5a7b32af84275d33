import { randomInt } from 'node:crypto'
import { isPortFree } from '@hedgerow/embedded-postgres/ports'

/** Below those of the product's freePort, which what a test starts draws from. */
const LOWEST = 10_200
/** What runs at once has different numbers of these, and ports of its own by it: Vitest's workers, Playwright, and its workers. */
const POOLS = 16
const PORTS_OF_POOL = 300
const TRIES = 200

const poolOf = ({ VITEST_POOL_ID, TEST_PARALLEL_INDEX }: NodeJS.ProcessEnv): number =>
  (TEST_PARALLEL_INDEX ? 8 + Number(TEST_PARALLEL_INDEX) : Number(VITEST_POOL_ID ?? 15)) % POOLS

const given = new Set<number>()

/**
 * A port that nothing listens on, and that no test that runs beside this one is given: between the choice and the start of what
 * listens there lie seconds.
 */
export const freePort = async (): Promise<number> => {
  const pool = poolOf(process.env)
  for (let tried = 0; tried < TRIES; tried++) {
    const port = LOWEST + pool * PORTS_OF_POOL + randomInt(PORTS_OF_POOL)
    if (given.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue
    given.add(port)
    return port
  }
  throw new Error('No port is free.')
}
