import { randomInt } from 'node:crypto'
import { isPortFree } from '@hedgerow/embedded-postgres/ports'

/** Below those of the product's freePort, which what a test starts draws from. */
const LOWEST = 10_200
/** What runs at once has different numbers of these, and ports of its own by it: Vitest's workers, Playwright, and its workers. */
const POOLS = 16
const PORTS_OF_POOL = 300

const poolOf = ({ VITEST_POOL_ID, TEST_PARALLEL_INDEX }: NodeJS.ProcessEnv): number =>
  (TEST_PARALLEL_INDEX ? 8 + Number(TEST_PARALLEL_INDEX) : Number(VITEST_POOL_ID ?? 15)) % POOLS

let next = randomInt(PORTS_OF_POOL)

/**
 * A port that nothing listens on, and that no test that runs beside this one is given. One by one, so that none comes again for
 * long: between the choice and the start of what listens there lie seconds.
 */
export const freePort = async (): Promise<number> => {
  const first = LOWEST + poolOf(process.env) * PORTS_OF_POOL
  for (let tried = 0; tried < PORTS_OF_POOL; tried++) {
    const port = first + (next++ % PORTS_OF_POOL)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  throw new Error('No port is free.')
}
