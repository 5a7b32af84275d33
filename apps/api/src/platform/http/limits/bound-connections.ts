import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Browsers and proxies send one request after the other's answer; programs that do not, send a few. */
const MOST_UNANSWERED = 16

/**
 * Cuts a connection that asks on without reading: what 64 KB can ask for is many megabytes of answers, which would wait in
 * memory for it. To be registered before all other hooks.
 */
export const boundPipelining = (app: FastifyInstance): void => {
  const unanswered = new WeakMap<Socket, number>()
  const addTo = (socket: Socket, count: number) =>
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + count)

  app.server.prependListener('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    addTo(socket, 1)
    response.on('close', () => addTo(socket, -1))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    if (!socket.destroyed && (unanswered.get(socket) ?? 0) <= MOST_UNANSWERED) return done()
    reply.hijack()
    socket.destroy()
  })
}

/** The longest body that is taken comes in about fifty pieces over the slowest lines. */
const MOST_PIECES = 1_000

/** Only these two headers announce one. */
const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Cuts a body that comes in crumbs: each costs as much as a piece of full size. */
export const boundPieces = (app: FastifyInstance): void => {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request.headers)) return done(null, payload)
    let pieces = 0
    // The parser begins to read in this very moment too, so it misses nothing.
    payload.on('data', () => {
      if (++pieces > MOST_PIECES) request.raw.destroy()
    })
    done(null, payload)
  })
}

/** What is younger may have a request on its way, which would be lost with it. */
const UNUSED_MS = 1_000

/**
 * Returns how to cut the connections on which nothing has come for a moment. Browsers open some ahead, and neither close() nor
 * closeIdleConnections() takes them for idle: one of them would hold a stop for minutes.
 */
export const watchUnused = (server: Server): (() => void) => {
  const open = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    const before = performance.now() - UNUSED_MS
    for (const [socket, since] of open) if (socket.bytesRead === 0 && since < before) socket.destroy()
  }
}

const QUIET_TURNS = 3
const MOST_TURNS = 500

/**
 * Ends when no connection waits to be accepted. The kernel cuts those that wait when a server stops listening, together with
 * what they have sent; Node.js takes one of them in each turn of its loop, and browsers open several at once.
 */
export const acceptWaiting = async (server: Server): Promise<void> => {
  let [accepted, quiet] = [0, 0]
  const count = () => {
    accepted++
  }
  server.on('connection', count)
  for (let turn = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn++) {
    const before = accepted
    await immediate()
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}
