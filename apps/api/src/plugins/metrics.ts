import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Dependencies } from '#dependencies.ts'
import { countJobs } from '#jobs/workers.queries.ts'
import { measureNodes } from '#nodes/node-metrics.ts'

/** What the process measures of itself; labels are the routes' patterns, never addresses with ids in them. */
export const measure = (app: FastifyInstance, { db }: Pick<Dependencies, 'db'>): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'hedgerow_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'hedgerow_jobs',
    help: 'Jobs in the queue: waiting, or given up',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const { waiting, givenUp } = await countJobs(db)
      jobs.set({ state: 'waiting' }, waiting)
      jobs.set({ state: 'given_up' }, givenUp)
    },
  })
  measureNodes(registry, { db })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    }
    seconds.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  return registry
}

/** Prometheus text on a port of its own, on the loopback interface only: it is not for the public. */
export const serveMetrics = (registry: Registry, port: number): Promise<Server> =>
  new Promise((ready, failed) => {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end()
        return
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(503).end(),
      )
    })
    server.once('error', failed)
    server.listen(port, '127.0.0.1', () => ready(server))
  })
