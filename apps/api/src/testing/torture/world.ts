import { join } from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '@hedgerow/embedded-postgres/start'
import { freePort } from '@hedgerow/testing/free-port'
import type { ProgramPath } from '@hedgerow/testing/programs'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { databaseAt, onServer, openDataFolder } from '#testing/template-database.ts'
import { type FrontDoor, openFrontDoor } from '#testing/torture/front-door.ts'
import { type Program, startProgram } from '#testing/torture/program.ts'

const DATABASE = 'torture'
const API_PROCESSES = 2
const START_TRIES = 60
const PAUSE_MS = 250

/** The shop in two processes behind one door, and everything around it, each a process of its own that can be ended. */
export type World = {
  dataDir: string
  /** Where customers and the gateway reach the shop. */
  front: FrontDoor
  sandboxUrl: string
  db: Db
  /** Ends one of the API's processes, or more at once, as a power cut does, and starts them again. */
  killApis: (which: readonly number[]) => Promise<void>
  restartPostgres: (mode: 'fast' | 'immediate') => Promise<void>
  /** Ends API and sandbox in good order. Returns how the API's processes ended. */
  stopPrograms: () => Promise<(number | string | null)[]>
  /** API processes that ended by themselves. */
  deaths: () => number
  logFiles: string[]
  /** Ends everything and removes its data. */
  close: () => Promise<void>
}

/** The shop's database, and what it runs on. */
export type DatabaseServer = {
  url: string
  restart: (mode: 'fast' | 'immediate') => Promise<void>
  close: () => Promise<void>
}

const sleep = (ms: number) => new Promise((later) => setTimeout(later, ms))

type Start = (path: ProgramPath, env: Record<string, string>, logFile: string) => Promise<Program | undefined>

const startSandbox = async (
  start: Start,
  dataDir: string,
  shopUrl: string,
  abandonedAfterS: number,
): Promise<Program> => {
  const env = {
    SANDBOX_STRIPE_WEBHOOK_URL: `${shopUrl}/api/v1/payment/stripe`,
    SANDBOX_BTCPAY_WEBHOOK_URL: `${shopUrl}/api/v1/payment/btcpay`,
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
    SANDBOX_CALLBACK_DELAY_MS: '40',
    SANDBOX_RETRY_SCALE: '0.02',
    SANDBOX_ACCESS_TIMEOUT_MINUTES: String(abandonedAfterS / 60),
  }
  const sandbox = await start('apps/sandbox/src/main.ts', env, join(dataDir, 'sandbox.log'))
  if (!sandbox) throw new Error('The sandbox did not start')
  return sandbox
}

const environmentOf = (databaseUrl: string, dataDir: string, publicUrl: string, sandbox: Program) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PUBLIC_URL: publicUrl,
  METRICS_PORT: '0',
  CONSOLE_PORT: 'off',
  GATE_URL: String(sandbox.ready.url),
  SMTP_URL: `smtp://127.0.0.1:${sandbox.ready.smtpPort}`,
  LOG_LEVEL: 'warn',
  RATE_LIMIT_SCALE: '0',
  // So that refunds meet earnings that are held and earnings that are available.
  PARTNER_HOLD_DAYS: '0',
})

type ApiOptions = {
  start: Start
  /** Settings of all of them. */
  env: Record<string, string>
  ports: readonly number[]
  logFiles: readonly string[]
  isClosing: () => boolean
}

/** The API's processes. One that ends by itself is started again, as an init system does it, and counted. */
const createApis = ({ start, env, ports, logFiles, isClosing }: ApiOptions) => {
  const apis: (Program | undefined)[] = []
  const meant = new WeakSet<Program>()
  let deaths = 0
  const watch = (which: number, api: Program): void => {
    void api.ended.then(() => {
      if (isClosing() || apis[which] !== api || meant.has(api)) return
      deaths++
      void startOne(which).catch(console.error)
    })
  }
  /** Again and again: the database may be away at the moment, or another program on the port for a while. */
  const startOne = async (which: number): Promise<void> => {
    for (let tries = 0; tries < START_TRIES && !isClosing(); tries++) {
      const own = { ...env, PORT: String(ports[which]) }
      const api = await start('apps/api/src/main.ts', own, logFiles[which] as string)
      apis[which] = api
      if (api) return watch(which, api)
      await sleep(PAUSE_MS)
    }
    throw new Error(`An API process does not start: see ${logFiles[which]}`)
  }
  const killOne = async (which: number) => {
    const api = apis[which]
    // One that is being started again by itself is let be.
    if (!api?.isAlive()) return
    meant.add(api)
    await api.kill()
    await startOne(which)
  }
  return {
    startAll: async () => {
      await startOne(0)
      await Promise.all(ports.slice(1).map((_, i) => startOne(i + 1)))
    },
    kill: async (which: readonly number[]) => void (await Promise.all(which.map(killOne))),
    stop: () => {
      for (const api of apis) if (api) meant.add(api)
      return Promise.all(apis.map((api) => api?.stop() ?? null))
    },
    deaths: () => deaths,
  }
}

/** One PostgreSQL on this machine. */
const openEmbedded = async (dataDir: string): Promise<DatabaseServer> => {
  // The machine itself stays up, and so what was written stays written without waiting for the disk.
  const place = { dataDir, port: await freePort(), settings: { fsync: 'off' } }
  let postgres: EmbeddedPostgres = await startPostgres(place)
  await onServer(postgres.url, `create database ${DATABASE}`)
  return {
    url: databaseAt(postgres.url, DATABASE),
    restart: async (mode) => {
      await postgres.stop(mode)
      await sleep(PAUSE_MS)
      postgres = await startPostgres(place)
    },
    close: () => postgres.stop('immediate'),
  }
}

export const openWorld = async (
  abandonedAfterS: number,
  openServer: (dataDir: string) => Promise<DatabaseServer> = openEmbedded,
): Promise<World> => {
  const cleanups: (() => Promise<unknown>)[] = []
  let isClosing = false
  const close = async () => {
    isClosing = true
    for (const clean of cleanups.splice(0).reverse()) await clean().catch(console.error)
  }
  const start: Start = (path, env, logFile) => {
    if (isClosing) throw new Error('The run is being ended')
    return startProgram({ path, env, logFile, onSpawn: (kill) => cleanups.push(kill) })
  }
  try {
    const { dataDir, remove } = await openDataFolder()
    cleanups.push(remove)
    const server = await openServer(dataDir)
    cleanups.push(server.close)
    const ports = await Promise.all(Array.from({ length: API_PROCESSES }, freePort))
    const front = await openFrontDoor(ports)
    cleanups.push(front.close)
    const sandbox = await startSandbox(start, dataDir, front.url, abandonedAfterS)
    const sandboxUrl = String(sandbox.ready.url)
    const logFiles = ports.map((_, which) => join(dataDir, `api-${which}.log`))
    const env = environmentOf(server.url, dataDir, front.url, sandbox)
    const apis = createApis({ start, env, ports, logFiles, isClosing: () => isClosing })
    await apis.startAll()
    const { db } = openDatabase(server.url, () => undefined, 6)
    cleanups.push(() => db.destroy())
    return {
      dataDir,
      front,
      sandboxUrl,
      db,
      killApis: apis.kill,
      restartPostgres: server.restart,
      stopPrograms: async () => {
        const ends = await apis.stop()
        await sandbox.stop()
        return ends
      },
      deaths: apis.deaths,
      logFiles,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
