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

/** A port that nothing listens on now. */
export const freePort = (): Promise<number> => listenOnce(0, '127.0.0.1')
