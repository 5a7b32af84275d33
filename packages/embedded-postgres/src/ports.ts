import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const listenOnce = (port: number, host: string): Promise<number> =>
  new Promise((found, failed) => {
    const probe = createServer()
    probe.once('error', failed)
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Whether a program could listen there now. */
export const isPortFree = (port: number, host: string): Promise<boolean> =>
  listenOnce(port, host).then(
    () => true,
    () => false,
  )

/**
 * Below what systems give to outgoing connections (Linux 32768, others 49152): out of those, one that is free now is
 * soon some connection's own end.
 */
const [LOWEST, HIGHEST] = [15_000, 32_000]
const TRIES = 50

/** A port that nothing listens on now, at random, so that two who ask at once hardly get the same. */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  return listenOnce(0, '127.0.0.1')
}
