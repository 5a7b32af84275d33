import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type MailCall = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }

/** A provider of mail that answers everything alike, and tells what it was asked. */
export const aMailProvider = async (status = 200, answer: unknown = {}) => {
  const calls: MailCall[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    calls.push({ method, url, headers, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}
