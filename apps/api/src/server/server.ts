import { setTimeout as pause } from 'node:timers/promises'
import type { GatewayName } from '@hedgerow/domain/gateways'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { Registry } from 'prom-client'
import { requireBackupFolder } from '#care/backup/folder-place.ts'
import { runCheapChecks } from '#care/doctor/run-checks.ts'
import { cipherOf, openShopsKeys, registerHolder } from '#care/keys/shops-keys.ts'
import { watchUnreadable } from '#care/keys/watch-unreadable.ts'
import { measureShop, serveMetrics } from '#care/telemetry/metrics.ts'
import { createOnSale } from '#catalogue/plans/plans.service.ts'
import { buildConsole } from '#desk/console/console-app.ts'
import { createLiveEvents, eventOf, type LiveEvents } from '#desk/console/live-events.ts'
import { type JobRunner, startJobs, type Workers } from '#jobs/worker.ts'
import type { Adapter } from '#money/gateway/adapter.ts'
import { openGateways } from '#money/gateway/adapters.ts'
import { createBankList } from '#money/gateway/bank-list.ts'
import { countedGateway } from '#money/gateway/counted-gateway.ts'
import { type Gateway, type Gateways, silentErrors } from '#money/gateway/gateway.ts'
import { createPaymentStatuses } from '#money/payments/payment-statuses.ts'
import { seedDemonstrationRates } from '#money/rates/rates.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { createVies } from '#money/vies/vies-client.ts'
import { createNodeSignal } from '#network/agents/node-signal.ts'
import { seedDemonstrationNode } from '#network/nodes/demonstration-node.ts'
import { findCustomerByEmail, lockOf } from '#people/accounts/customers.ts'
import { notingRefusals } from '#people/accounts/returned-mails.ts'
import { createOpenAnswers, type OpenAnswers } from '#people/operators/open-answers.ts'
import { firstOwnerLink } from '#people/operators/operators.service.ts'
import { findSession } from '#people/sessions/sessions.service.ts'
import { createKeyedHash } from '#platform/crypto/keyed-hash.ts'
import {
  type Db,
  type OpenDatabase,
  openDatabase,
  shopLimits,
  tellOfLosses,
} from '#platform/database/client.ts'
import { warnOfFewConnections } from '#platform/database/connections-needed.ts'
import { databaseFault } from '#platform/database/database-fault.ts'
import { holdEmbedded } from '#platform/database/embedded.ts'
import { type Listener, type ListenerOptions, startListener } from '#platform/database/listener.ts'
import { migrate } from '#platform/database/migrate.ts'
import { CHANGED, createNotifiedCache, type Kind } from '#platform/database/notified-cache.ts'
import { requireSessions } from '#platform/database/require-sessions.ts'
import { keepAssets } from '#platform/http/files/kept-assets.ts'
import { makeLegalDocuments } from '#platform/http/files/legal-texts.ts'
import { createKnownBrowsers } from '#platform/http/known-browsers.ts'
import { acceptWaiting, watchUnused } from '#platform/http/limits/bound-connections.ts'
import { createRateCounter } from '#platform/http/limits/rate-counter.ts'
import { createLater } from '#platform/instrumentation/later.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { createMeters } from '#platform/instrumentation/meters.ts'
import { boundedMailer } from '#platform/mail/bounded-mailer.ts'
import { countedMailer } from '#platform/mail/counted-mailer.ts'
import { hurryingMailer } from '#platform/mail/hurrying-mailer.ts'
import { createMailer, NOT_THERE_ERRORS } from '#platform/mail/mailer.ts'
import {
  createQueueListener,
  QUEUE_CHANNELS,
  QUEUE_CONNECTIONS,
  type QueueListener,
} from '#platform/queue/queue-listener.ts'
import { createRetryOnRecovery } from '#platform/queue/retry-on-recovery.ts'
import { createRunningSettings, withRunning } from '#platform/running-settings/running-settings.ts'
import type { Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'
import { createPdfMaker, type PdfMaker } from '#sales/invoices/pdf-maker.ts'
import { seedDemonstrationSterling } from '#sales/invoices/sterling.ts'
import { keepTerms, termsInForce } from '#sales/orders/terms.ts'
import { buildApp } from '#server/app.ts'

export type RunningServer = {
  /** Where it listens, for programs on this machine. */
  url: string
  metricsPort: number
  /** Where operators' browsers go; undefined: this process has no console. */
  consoleUrl: string | undefined
  /** On one's own machine: the link of the first owner, until an operator can log in. */
  operatorLink: () => Promise<string | undefined>
  /** At once: without the notice to the load balancer, or with no more of it. */
  stop: (how?: { atOnce?: boolean }) => Promise<void>
}

type ServerOptions = {
  settings: Settings
  storefrontDir?: string
  /** The built console. */
  consoleDir?: string
  /** Whether this process runs jobs. */
  runsJobs?: boolean
  /** What runs its jobs. Unset: workers of each lane. */
  workersOfLanes?: readonly Workers[] | undefined
  /** What makes documents, where several shops of one process share it. Unset: one of its own, closed with it. */
  pdfs?: PdfMaker | undefined
}

const LISTENERS = {
  shop: ['HOST', 'PORT'],
  metrics: ['METRICS_HOST', 'METRICS_PORT'],
  console: ['CONSOLE_HOST', 'CONSOLE_PORT'],
} as const

const listenFault = (error: unknown, what: keyof typeof LISTENERS, host: string, port: number) => {
  const { code } = error as NodeJS.ErrnoException
  const [hostName, portName] = LISTENERS[what]
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} is in use, so the ${what} cannot listen there. Stop the other program, or set ${portName}.`,
    )
  if (code === 'EACCES')
    return new StartError(`The ${what} may not listen on port ${port}. Set ${portName} to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(
      `${host} is no address of this machine, so the ${what} cannot listen there. Set ${hostName}.`,
    )
  return error
}

/** What has been started, to be stopped in reverse. */
type Stops = (() => Promise<unknown>)[]

const startDatabase = async (settings: Settings, log: FastifyBaseLogger, stops: Stops) => {
  const embedded = settings.databaseUrl ? undefined : await holdEmbedded(settings.dataDir)
  if (embedded) stops.push(embedded.stop)
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? ''
  const database = openDatabase(databaseUrl, tellOfLosses(log), undefined, shopLimits(settings))
  stops.push(() => database.pool.end())
  try {
    await requireSessions(database.pool)
    await migrate(database, { log })
  } catch (error) {
    throw databaseFault(error, databaseUrl)
  }
  await keepTerms(database.db, termsInForce(settings))
  await warnOfFewConnections(database.db, settings.processes, log)
  if (!settings.isProduction) {
    await seedDemonstrationNode(database.db)
    await seedDemonstrationRates(database.db)
    await seedDemonstrationSterling(database.db)
  }
  return { ...database, databaseUrl }
}

type Resources = {
  startedWith: Settings
  db: Db
  pool: Pool
  log: FastifyBaseLogger
  registry: Registry
  stops: Stops
  stopping: AbortSignal
  hashKey: Buffer
  sharedPdfs: PdfMaker | undefined
}

/** Everything that the slices work with. */
const createDependencies = ({
  startedWith,
  db,
  pool,
  log,
  registry,
  stops,
  stopping,
  hashKey,
  sharedPdfs,
}: Resources): ShopDependencies => {
  const running = createRunningSettings(db, log)
  const settings = withRunning(startedWith, running)
  const meters = createMeters(registry)
  const later = createLater(log)
  stops.push(later.finished)
  const transport = createMailer(settings)
  stops.push(async () => transport.close())
  const mailServer = createRetryOnRecovery(
    { db, log },
    { name: 'mail server', errors: NOT_THERE_ERRORS, probe: transport.isThere },
  )
  stops.push(mailServer.stop)
  const pdfs = sharedPdfs ?? createPdfMaker()
  if (!sharedPdfs) stops.push(pdfs.close)
  const keyedHash = createKeyedHash(hashKey)
  const rateCounter = createRateCounter(db, settings.rateLimitScale, keyedHash)
  const mailer = boundedMailer(
    hurryingMailer(countedMailer(notingRefusals(transport, db), meters), mailServer),
    {
      rateCounter,
      meters,
    },
  )
  // They are asked all the time, so their return is seen without a probe.
  const watched = <G extends Gateway>(adapter: Adapter<G>, name: GatewayName): G | undefined => {
    const recovery = createRetryOnRecovery({ db, log }, { name, errors: silentErrors(name) })
    const client = adapter.open(settings, settings.publicUrl, (call, err) => {
      recovery.failed()
      log.warn({ err, call, gateway: name }, 'a gateway could not be asked')
    })
    if (!client) return undefined
    stops.push(recovery.stop)
    const local = Object.fromEntries((adapter.local ?? []).map((call) => [call, client[call]]))
    return { ...countedGateway(name, client, meters, log, recovery.answered), ...local }
  }
  const gateways: Gateways = { ...openGateways(watched) }
  return {
    settings,
    db,
    pool,
    stopping,
    gateways,
    banks: createBankList({ gateway: gateways.gate, settings }),
    vies: createVies(settings, (why) => log.warn({ why }, 'a VAT number could not be looked up')),
    running,
    rateCounter,
    knownBrowsers: createKnownBrowsers({
      keyedHash,
      isSecure: settings.publicUrl.startsWith('https:'),
      findLock: async (email) => lockOf(await findCustomerByEmail(db, email)),
    }),
    mailer,
    pdfs,
    keyCipher: watchUnreadable(cipherOf(settings), { db, log, later, meters }),
    keyedHash,
    sessions: createNotifiedCache((hashHex) => findSession(db, hashHex)),
    statuses: createPaymentStatuses(db, settings.publicUrl),
    onSale: createOnSale(db),
    nodeSignal: createNodeSignal(),
    meters,
    later,
    log,
  }
}

/** What the database notifies goes to the caches; by the same connection others see that this process lives. */
const listenForChanges = (
  { sessions, statuses, onSale, nodeSignal, running, log }: ShopDependencies,
  {
    liveEvents,
    openAnswers,
    queueListener,
  }: { liveEvents: LiveEvents; openAnswers: OpenAnswers; queueListener: QueueListener },
  url: string,
  { onUp, onStale }: Pick<ListenerOptions, 'onUp' | 'onStale'>,
): Promise<Listener> => {
  const caches = {
    payment: statuses,
    session: sessions,
    operator: openAnswers,
    node: nodeSignal,
    settings: running,
    plans: onSale,
  } satisfies Record<Kind, unknown>
  const setListening = (isListening: boolean) => {
    for (const cache of Object.values(caches)) cache.setListening(isListening)
  }
  return startListener({
    url,
    channels: [CHANGED, ...QUEUE_CHANNELS],
    onNotice: (notice) => {
      if (notice.channel !== CHANGED) return queueListener.notify(notice)
      const { payload = '' } = notice
      const [kind, key = ''] = payload.split(':')
      caches[kind as Kind]?.forget(key)
      const event = eventOf(payload)
      if (event) liveEvents.tell(event)
    },
    onUp: async (backend) => {
      setListening(true)
      await onUp(backend)
    },
    onDown: () => setListening(false),
    onStale,
    log,
  })
}

/** To be called once the rest is up: from then on customers come. */
const prepareToListen = (
  http: FastifyInstance,
  { host, port }: Pick<Settings, 'host' | 'port'>,
  what: 'shop' | 'console',
  stops: Stops,
) => {
  const cutUnused = watchUnused(http.server)
  stops.push(async () => {
    // A connection whose answer was under way is left open by close(), and would hold it for more than a minute.
    const sweep = setInterval(() => {
      http.server.closeIdleConnections()
      cutUnused()
    }, 50)
    await acceptWaiting(http.server)
    const closed = new Promise((done) => http.server.close(done))
    await http
      .close()
      .finally(() => closed)
      .finally(() => clearInterval(sweep))
  })
  return () =>
    http.listen({ host, port }).catch((error: unknown) => {
      throw listenFault(error, what, host, port)
    })
}

/** Files for operators may be long in the making, and take no connection from the shop. */
const EXPORTS_AT_ONCE = 2
const EXPORT_TIMEOUT_S = 600

type ConsoleGround = {
  databaseUrl: string
  consoleDir: string | undefined
  isLeaving: () => boolean
}

/** Returns how the console is opened; undefined where this process has none. */
const prepareConsole = async (
  deps: ShopDependencies & { liveEvents: LiveEvents; openAnswers: OpenAnswers; startedWith: Settings },
  { databaseUrl, consoleDir, isLeaving }: ConsoleGround,
  stops: Stops,
) => {
  const { log, settings } = deps
  const { consolePort: port, consoleHost: host } = settings
  if (port === null) return undefined
  const limits = shopLimits({ statementTimeoutSeconds: EXPORT_TIMEOUT_S })
  const { db: exportDb, pool } = openDatabase(databaseUrl, tellOfLosses(log), EXPORTS_AT_ONCE, limits)
  stops.push(() => pool.end())
  const kept = await keepAssets({ settings, site: 'console', root: consoleDir, log })
  stops.push(async () => kept.stop())
  const http = await buildConsole({
    deps: { ...deps, exportDb },
    log,
    isLeaving,
    ...(consoleDir ? { consoleDir, keptAssets: kept.folder } : {}),
  })
  return prepareToListen(http, { host, port }, 'console', stops)
}

/** Returns the port. */
const listenForScrapes = async (
  registry: Registry,
  { metricsPort: port, metricsHost }: Settings,
  stops: Stops,
): Promise<number> => {
  const server = await serveMetrics(registry, port, metricsHost).catch((error: unknown) => {
    throw listenFault(error, 'metrics', metricsHost, port)
  })
  stops.push(() => new Promise((closed) => server.close(closed)))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** What each start looks at: nothing of it keeps the shop from opening. */
const warnOfFindings = async ({ settings, db, log }: ShopDependencies, storefrontDir: string | undefined) => {
  if (!settings.isProduction || storefrontDir === undefined) return
  for (const { check, state, says, act } of await runCheapChecks({ settings, db, storefrontDir }))
    if (state !== 'ok' && !settings.warnings.includes(says)) log.warn({ check, act }, says)
}

/** Starts the shop: database, migrations, HTTP, jobs. What was started before a failure is stopped again. */
export const startServer = async ({
  settings,
  storefrontDir,
  consoleDir,
  runsJobs = true,
  workersOfLanes,
  pdfs,
}: ServerOptions): Promise<RunningServer> => {
  const stops: Stops = []
  let isLeaving = false
  const notice = new AbortController()
  const stopping = new AbortController()
  const stop = async ({ atOnce = false }: { atOnce?: boolean } = {}) => {
    if (atOnce) notice.abort()
    const isNoticed = url !== undefined && !isLeaving
    isLeaving = true
    const forMs = isNoticed ? settings.stopNoticeSeconds * 1000 : 0
    await pause(forMs, undefined, notice).catch(() => undefined)
    stopping.abort()
    for (const step of stops.splice(0).reverse()) await step()
  }
  /** Once it listens. */
  let url: string | undefined
  try {
    const log = createLog(settings.logLevel)
    log.info({ ...runningVersion(), node: process.versions.node }, 'the shop starts')
    for (const warning of settings.warnings) log.warn(warning)
    if (runsJobs) await requireBackupFolder(settings)
    const legalDocuments = await makeLegalDocuments(settings)
    const { db, pool, cut, databaseUrl } = await startDatabase(settings, log, stops)
    const registry = new Registry()
    measureShop(registry, db, pool)
    const hashKey = await openShopsKeys(db, settings)
    const deps = createDependencies({
      startedWith: settings,
      db,
      pool,
      log,
      registry,
      stops,
      stopping: stopping.signal,
      hashKey,
      sharedPdfs: pdfs,
    })
    await deps.running.load()
    let jobs: JobRunner | undefined
    let queue: OpenDatabase | undefined
    const told = {
      liveEvents: createLiveEvents(),
      openAnswers: createOpenAnswers(),
      queueListener: createQueueListener(),
    }
    const listener = await listenForChanges(deps, told, databaseUrl, {
      onUp: async (backend) => {
        await registerHolder(db, backend, deps.keyCipher)
        await jobs?.register(backend)
      },
      onStale: (openedBefore) => {
        cut(openedBefore)
        queue?.cut(openedBefore)
      },
    })
    stops.push(listener.stop)
    if (runsJobs) {
      queue = openDatabase(databaseUrl, tellOfLosses(log), QUEUE_CONNECTIONS, shopLimits(settings))
      const { pool: own } = queue
      stops.push(() => own.end())
      jobs = await startJobs(deps, told.queueListener.poolOver(own), listener.backend(), workersOfLanes)
      stops.push(jobs.stop)
    }
    const kept = await keepAssets({ settings, site: 'storefront', root: storefrontDir, log })
    stops.push(async () => kept.stop())
    const http = await buildApp({
      deps,
      log,
      registry,
      legalDocuments,
      isLeaving: () => isLeaving,
      ...(storefrontDir ? { storefrontDir, keptAssets: kept.folder } : {}),
    })
    const listen = prepareToListen(http, settings, 'shop', stops)
    const openConsole = await prepareConsole(
      { ...deps, ...told, startedWith: settings },
      { databaseUrl, consoleDir, isLeaving: () => isLeaving },
      stops,
    )
    await warnOfFindings(deps, storefrontDir)
    const metricsPort = await listenForScrapes(registry, settings, stops)
    url = await listen()
    const consoleUrl = await openConsole?.()
    return { url, metricsPort, consoleUrl, operatorLink: () => firstOwnerLink(deps), stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}
