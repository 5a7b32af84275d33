import { createServer, type Server } from 'node:net'
import { SettingsError } from '#settings.ts'

/** No file: the kernel keeps it for one network namespace, and lets go of it with the process. */
const NAME = '\0hedgerow-agent'

/** Two agents would take each other's peers, rules and resolver away. */
export const acquireInstanceLock = (): Promise<Server> =>
  new Promise((ready, failed) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.code === 'EADDRINUSE'
          ? new SettingsError('Another agent is already running on this server')
          : error,
      ),
    )
    server.listen(NAME, () => ready(server.unref()))
  })
