import type { Server } from 'node:http'
import { createServer } from '@hedgerow/io/node-http'
import type { Registry } from 'prom-client'
import { SettingsError } from '#settings.ts'

type Health = { isHealthy: boolean; text: string }

/** /metrics and /healthz, on the loopback interface only: they are not for customers. */
export const startHealthServer = (registry: Registry, health: () => Health, port: number): Promise<Server> =>
  new Promise((ready, failed) => {
    const server = createServer(async (request, response) => {
      const isKnown = request.url === '/healthz' || request.url === '/metrics'
      if (isKnown && request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET, HEAD' }).end()
      } else if (request.url === '/healthz') {
        const { isHealthy, text } = health()
        response.writeHead(isHealthy ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' })
        response.end(`${text}\n`)
      } else if (request.url === '/metrics') {
        const text = await registry.metrics()
        response.writeHead(200, { 'content-type': registry.contentType }).end(text)
      } else response.writeHead(404).end()
    })
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      failed(
        isTaken ? new SettingsError(`AGENT_METRICS_PORT: ${port} is taken, perhaps by another agent`) : error,
      )
    })
    server.listen(port, '127.0.0.1', () => ready(server))
  })
