import type { Server } from 'node:http'
import { createServer } from '@hedgerow/io/node-http'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import { backupSource } from '#care/telemetry/backup-age.ts'
import { checkSource } from '#care/telemetry/failing-checks.ts'
import { jobSource } from '#care/telemetry/job-metrics.ts'
import { nodeSource } from '#care/telemetry/node-metrics.ts'
import { paymentSources } from '#care/telemetry/payment-metrics.ts'
import { readAtScrape } from '#care/telemetry/read-at-scrape.ts'
import { waitingSource } from '#care/telemetry/waiting-for-operator.ts'
import { type Db, isDatabaseFull } from '#platform/database/client.ts'
import { EVERYWHERE, responsesWith } from '#platform/http/security-headers.ts'

/**
 * What it answers, and how fast; labels are the routes' patterns, never addresses with ids in them. Times have no status: with
 * one, every refusal of every route would be ten more lines of each scrape.
 */
export const measureAnswers = (app: FastifyInstance, registry: Registry): void => {
  const seconds = new Histogram({
    name: 'hedgerow_http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  const answers = new Counter({
    name: 'hedgerow_http_requests_total',
    help: 'Requests answered, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none' }
    seconds.observe(labels, reply.elapsedTime / 1000)
    answers.inc({ ...labels, status: reply.statusCode })
    done()
  })
}

/** The process itself, and what all processes of the shop share: that is read from the database at every scrape. */
export const measureShop = (registry: Registry, db: Db, pool: Pool): void => {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const build = new Gauge({
    name: 'hedgerow_build_info',
    help: 'The version that runs',
    labelNames: ['version', 'commit', 'node'],
    registers,
  })
  const { version, commit } = runningVersion()
  build.set({ version, commit: commit ?? '', node: process.versions.node }, 1)
  const connections = new Gauge({
    name: 'hedgerow_database_connections',
    help: 'Connections of the pool to the database, in use or idle',
    labelNames: ['state'],
    registers,
    collect: () => {
      connections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      connections.set({ state: 'idle' }, pool.idleCount)
    },
  })
  const waiting = new Gauge({
    name: 'hedgerow_database_waiting',
    help: 'Queries that wait for a connection of the pool',
    registers,
    collect: () => {
      waiting.set(pool.waitingCount)
    },
  })
  const full = new Gauge({
    name: 'hedgerow_database_full',
    help: 'Whether the database had no room to write something in the last minute',
    registers,
    collect: () => {
      full.set(isDatabaseFull(db) ? 1 : 0)
    },
  })
  readAtScrape(registry, db, [
    ...paymentSources(),
    jobSource,
    nodeSource,
    backupSource,
    checkSource,
    waitingSource,
  ])
}

/** Prometheus text on a port of its own: it is not for the public. */
export const serveMetrics = (registry: Registry, port: number, host: string): Promise<Server> =>
  new Promise((ready, failed) => {
    const server = createServer({ ServerResponse: responsesWith(EVERYWHERE) }, (request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end()
        return
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET, HEAD' }).end()
        return
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(503).end(),
      )
    })
    server.once('error', failed)
    // Of several processes behind one port each has its own here.
    server.listen({ port, host, exclusive: true }, () => ready(server))
  })
