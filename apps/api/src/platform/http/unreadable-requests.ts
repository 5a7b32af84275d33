import { newRequestId, REQUEST_ID_HEADER } from '@hedgerow/contract/request-id'
import type { ConnectionError, FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Problem, type ProblemName } from '#platform/http/problems.ts'
import { ANSWER_HEADERS } from '#platform/http/security-headers.ts'

const KNOWN: Readonly<Record<string, ProblemName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
}

type Connection = { writable: boolean; write: (text: string) => unknown; destroy: (error: Error) => unknown }

/** Answers what is no HTTP, too large in its headers or too slow to become a request, and cuts the connection. */
export const answerUnreadable =
  (headers: Readonly<Record<string, string>>, log: FastifyBaseLogger) =>
  (error: ConnectionError, socket: Connection): void => {
    const requestId = newRequestId()
    log.trace({ err: error, requestId }, 'a request could not be read')
    const reply = new Problem(KNOWN[error.code] ?? 'not-readable').toReply()
    const body = JSON.stringify({ ...reply, requestId })
    const all = {
      ...ANSWER_HEADERS,
      ...headers,
      [REQUEST_ID_HEADER]: requestId,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    if (socket.writable)
      socket.write(`HTTP/1.1 ${reply.status} ${reply.title}\r\n${lines.join('')}\r\n${body}`)
    socket.destroy(error)
  }

/**
 * Answers what Node.js would answer by itself, in words and headers that are none of ours: HTTP/1.1 without a host, and
 * calls that expect what is not offered, which RFC 9110 lets a server overlook.
 */
export const answerForNode = (app: FastifyInstance): void => {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isWithoutHost = raw.headers.host === undefined && raw.httpVersion !== '1.0'
    done(isWithoutHost ? new Problem('not-readable') : undefined)
  })
}
