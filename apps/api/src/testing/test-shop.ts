import { randomBytes } from 'node:crypto'
import { type Sandbox, startSandbox } from '@hedgerow/sandbox/app'
import type { SandboxSettings } from '@hedgerow/sandbox/settings'
import { type Call, callerOf } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { type GatewayProxy, startGatewayProxy } from '@hedgerow/testing/gateway-proxy'
import { sql } from 'kysely'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Workers } from '#jobs/worker.ts'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { RECURRING_JOBS, type RecurringJob } from '#platform/queue/add-job.ts'
import { LANES } from '#platform/queue/lanes.ts'
import { readSettings, requireGate, type WithGate } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'
import { createPdfMaker } from '#sales/invoices/pdf-maker.ts'
import { type RunningServer, startServer } from '#server/server.ts'
import { cloneDatabase } from '#testing/test-database.ts'

export type Environment = Record<string, string>

export type ShopOptions = {
  /** Settings of the API that differ from a test's usual ones. */
  env?: Environment
  sandbox?: Partial<SandboxSettings>
  /** A built storefront; without one only the API is served. */
  storefrontDir?: string
  /** Each lane of jobs has workers of its own, as in production. */
  hasAllWorkers?: boolean
}

/** Where the outside world is, and the data: what two processes of one shop share. */
export type ShopGround = {
  databaseUrl: string
  sandbox: Sandbox
  env: Environment
  storefrontDir?: string | undefined
  workersOfLanes?: readonly Workers[] | undefined
  /** What the shop has asked the gateway so far. */
  gateCalls: GatewayProxy['calls']
  /** Leaves the shop without answers of the gateway. */
  holdGateCalls: GatewayProxy['hold']
}

export type Front = {
  url: string
  metricsUrl: string
  settings: WithGate
  call: Call
  stop: () => Promise<void>
  /** Ends the notice that a stop gives before. */
  stopAtOnce: () => Promise<void>
}

export type TestShop = Front & ShopGround & { db: Db }

/** Settings of the API in a test; a process of its own gets the same. */
export const environmentOf = (
  { databaseUrl, sandbox, env }: Omit<ShopGround, 'gateCalls' | 'holdGateCalls'>,
  port: number,
): Environment => ({
  DATABASE_URL: databaseUrl,
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  METRICS_PORT: '0',
  CONSOLE_PORT: 'off',
  GATE_URL: sandbox.url,
  SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
  LOG_LEVEL: 'silent',
  RATE_LIMIT_SCALE: '0',
  NODE_REACH_CHECK: 'off',
  ...env,
})

export const newKey = (): string => randomBytes(32).toString('base64')

const TRIES = 5

/** Of all shops in a process: to read the fonts takes longer than anything else that a shop does in a test. */
const pdfs = createPdfMaker({ givesWay: false })

/** A shop without load needs few: each lane's own connections took a third of the work of its start. */
const SHARED_WORKERS: readonly Workers[] = [{ lanes: LANES, atOnce: 4 }]

/** Starts the API on a port that was free a moment ago; where another program was faster, on another. */
export const startFront = async (ground: ShopGround, tries = TRIES): Promise<Front> => {
  const settings = requireGate(readSettings(environmentOf(ground, await freePort())))
  let server: RunningServer
  try {
    const { storefrontDir, workersOfLanes } = ground
    server = await startServer({
      settings,
      pdfs,
      workersOfLanes,
      ...(storefrontDir ? { storefrontDir } : {}),
    })
  } catch (error) {
    if (error instanceof StartError && tries > 1) return startFront(ground, tries - 1)
    throw error
  }
  return {
    url: server.url,
    metricsUrl: `http://127.0.0.1:${server.metricsPort}/metrics`,
    settings,
    call: callerOf(server.url),
    stop: () => server.stop(),
    stopAtOnce: () => server.stop({ atOnce: true }),
  }
}

/** The recurring jobs that come every ten seconds or more often. */
const FREQUENT: readonly RecurringJob[] = [
  'check-payments',
  'issue-invoices',
  'credit-partners',
  'maintain-nodes',
  'send-webhooks',
]

/** The others come in a test when it hurries them, and not also in the middle of one that a slow machine takes long for. */
const letOthersRest = (db: Db) =>
  sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now() + interval '59 minutes')
    from graphile_worker.jobs where locked_at is null
      and task_identifier = any(${RECURRING_JOBS.filter((job) => !FREQUENT.includes(job))}::text[])`.execute(
    db,
  )

/** A database and a sandbox, without an API yet. */
export const openGround = async ({
  env,
  sandbox,
  storefrontDir,
  hasAllWorkers = false,
}: ShopOptions = {}): Promise<ShopGround & { db: Db; close: () => Promise<void> }> => {
  const database = await cloneDatabase()
  const world = await startSandbox({
    port: 0,
    smtpPort: 0,
    callbackDelayMs: 0,
    retryScale: 0.001,
    ...sandbox,
  })
  const proxy = await startGatewayProxy(world.url)
  const { db } = openDatabase(database.url, () => undefined, 4)
  return {
    databaseUrl: database.url,
    sandbox: world,
    env: { KEY_ENCRYPTION_KEY: newKey(), GATE_URL: proxy.url, ...env },
    storefrontDir,
    workersOfLanes: hasAllWorkers ? undefined : SHARED_WORKERS,
    gateCalls: proxy.calls,
    holdGateCalls: proxy.hold,
    db,
    close: async () => {
      await proxy.close()
      await world.close()
      await db.destroy()
      await database.drop()
    },
  }
}

const openShop = async (options: ShopOptions): Promise<TestShop> => {
  const { close, ...ground } = await openGround(options)
  const front = await startFront(ground).catch(async (error: unknown) => {
    await close()
    throw error
  })
  await letOthersRest(ground.db)
  const stop = async () => {
    await front.stop()
    await close()
  }
  return { ...front, ...ground, stop }
}

/** A whole shop for one test: the real API on a database of its own, and a sandbox. Stopped when the test ends. */
export const startTestShop = async (options: ShopOptions = {}): Promise<TestShop> => {
  const shop = await openShop(options)
  onTestFinished(shop.stop)
  return shop
}

/** A whole shop for all tests of a file. To be called where the file's tests are listed, and used inside them. */
export const shopOfFile = (options: ShopOptions = {}): TestShop => {
  let shop: TestShop | undefined
  beforeAll(async () => {
    shop = await openShop(options)
  })
  afterAll(() => shop?.stop())
  return new Proxy({} as TestShop, {
    get: (_, name) => {
      if (!shop) throw new Error('The shop is open only while the tests run')
      return Reflect.get(shop, name)
    },
  })
}

/** A second process of the same shop, as far as HTTP, memory and jobs go. Stopped when the test ends. */
export const openSecondFront = async (shop: ShopGround & Pick<TestShop, 'db'>): Promise<Front> => {
  const front = await startFront(shop)
  await letOthersRest(shop.db)
  onTestFinished(front.stop)
  return front
}
