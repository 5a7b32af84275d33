import type { Server } from 'node:http'
import { Registry } from 'prom-client'
import { findSession } from '#accounts/accounts.service.ts'
import { buildApp } from '#app.ts'
import { createKeyCipher } from '#crypto/key-cipher.ts'
import { openDatabase } from '#database/client.ts'
import { databaseFault } from '#database/database-fault.ts'
import { holdEmbedded } from '#database/embedded.ts'
import { startListener } from '#database/listener.ts'
import { migrate } from '#database/migrate.ts'
import { CHANGED, createNotifiedCache, type Kind } from '#database/notified-cache.ts'
import { createBankList } from '#gateway/bank-list.ts'
import { countedGate } from '#gateway/counted-gate.ts'
import { createGateClient } from '#gateway/gate-client.ts'
import { createLog } from '#instrumentation/log.ts'
import { createMeters } from '#instrumentation/meters.ts'
import { createPdfMaker } from '#invoices/pdf-maker.ts'
import { type JobRunner, startJobs } from '#jobs/worker.ts'
import { countedMailer } from '#mail/counted-mailer.ts'
import { createMailer } from '#mail/mailer.ts'
import { seedDemonstrationNode } from '#nodes/demonstration-node.ts'
import { createNodeSignal } from '#nodes/node-signal.ts'
import { createPaymentStatuses } from '#payments/payment-statuses.ts'
import { seedDemonstrationRates } from '#payments/rates.ts'
import { createPromocodeTries } from '#promocodes/promocode-tries.ts'
import type { Settings } from '#settings.ts'
import { StartError } from '#start-error.ts'
import { measureShop, serveMetrics } from '#telemetry/metrics.ts'

export type RunningServer = {
  /** Where it listens, for programs on this machine. */
  url: string
  metricsPort: number
  stop: () => Promise<void>
}

type ServerOptions = {
  settings: Settings
  storefrontDir?: string
  /** Whether this process runs jobs. */
  runsJobs?: boolean
}

const listenFault = (error: unknown, what: string, port: number) =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new StartError(
        `Port ${port} is busy, so the ${what} cannot listen there. Stop what uses it, or set ${what === 'shop' ? 'PORT' : 'METRICS_PORT'}.`,
      )
    : error

/** Starts the shop: database, migrations, HTTP, jobs. What was started before a failure is stopped again. */
export const startServer = async ({
  settings,
  storefrontDir,
  runsJobs = true,
}: ServerOptions): Promise<RunningServer> => {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  try {
    const log = createLog(settings.logLevel)
    const embedded = settings.databaseUrl ? undefined : await holdEmbedded(settings.dataDir)
    if (embedded) stops.push(embedded.stop)
    const databaseUrl = settings.databaseUrl ?? embedded?.url ?? ''

    const database = openDatabase(databaseUrl, (error) =>
      log.warn({ err: error }, 'a database connection was lost'),
    )
    stops.push(() => database.pool.end())
    await migrate(database).catch((error: unknown) => {
      throw databaseFault(error, databaseUrl)
    })
    const { db, pool } = database
    if (!settings.isProduction) {
      await seedDemonstrationNode(db)
      await seedDemonstrationRates(db)
    }

    const registry = new Registry()
    const meters = createMeters(registry)
    measureShop(registry, db, pool)
    const mailer = countedMailer(createMailer(settings), meters)
    stops.push(async () => mailer.close())
    const pdfs = createPdfMaker()
    stops.push(pdfs.close)
    const sessions = createNotifiedCache((hashHex) => findSession(db, hashHex))
    const statuses = createPaymentStatuses(db, settings.publicUrl)
    const nodeSignal = createNodeSignal()
    const caches = { payment: statuses, session: sessions, node: nodeSignal } satisfies Record<Kind, unknown>
    const setListening = (isListening: boolean) => {
      for (const cache of Object.values(caches)) cache.setListening(isListening)
    }
    const gate = countedGate(createGateClient(settings), meters, log)
    const deps = {
      settings,
      db,
      gate,
      banks: createBankList({ gate, settings }),
      promocodeTries: createPromocodeTries(settings.rateLimitScale),
      mailer,
      pdfs,
      keyCipher: createKeyCipher(settings.keyEncryptionKey),
      sessions,
      statuses,
      nodeSignal,
      meters,
      log,
    }

    let jobs: JobRunner | undefined
    const listener = await startListener({
      url: databaseUrl,
      channel: CHANGED,
      onNotice: (notice) => {
        const [kind, key = ''] = notice.split(':')
        caches[kind as Kind]?.forget(key)
      },
      onUp: async (backend) => {
        setListening(true)
        await jobs?.register(backend)
      },
      onDown: () => setListening(false),
      log,
    })
    stops.push(listener.stop)
    if (runsJobs) {
      jobs = await startJobs(deps, pool, listener.backend())
      stops.push(jobs.stop)
    }

    const http = await buildApp({ deps, log, registry, ...(storefrontDir ? { storefrontDir } : {}) })
    stops.push(async () => {
      // A connection whose answer was under way is left open by close(), and would hold it for more than a minute.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 50)
      await http.close().finally(() => clearInterval(sweep))
    })
    const metricsServer: Server = await serveMetrics(registry, settings.metricsPort).catch(
      (error: unknown) => {
        throw listenFault(error, 'metrics', settings.metricsPort)
      },
    )
    stops.push(() => new Promise((closed) => metricsServer.close(closed)))
    const url = await http.listen({ host: settings.host, port: settings.port }).catch((error: unknown) => {
      throw listenFault(error, 'shop', settings.port)
    })
    const metricsAddress = metricsServer.address()
    const metricsPort = typeof metricsAddress === 'object' && metricsAddress ? metricsAddress.port : 0
    return { url, metricsPort, stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}
