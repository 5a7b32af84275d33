import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { type EmbeddedPostgres, startPostgres } from '@hedgerow/embedded-postgres/start'
import { type Db, openDatabase } from '#database/client.ts'
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
  /** Ends API and sandbox in good order. Answers how the API's processes ended. */
  stopPrograms: () => Promise<(number | string | null)[]>
  /** API processes that ended though nobody ended them. */
  deaths: () => number
  logFiles: string[]
  /** Ends everything and removes its data. */
  close: () => Promise<void>
}

const sleep = (ms: number) => new Promise((later) => setTimeout(later, ms))

export const openWorld = async (abandonedAfterS: number): Promise<World> => {
  const cleanups: (() => Promise<unknown>)[] = []
  let isClosing = false
  const close = async () => {
    isClosing = true
    for (const clean of cleanups.splice(0).reverse()) await clean().catch(console.error)
  }
  try {
    const { dataDir, remove } = await openDataFolder()
    cleanups.push(remove)

    const port = await freePort()
    // The machine itself stays up, and so what was written stays written without waiting for the disk.
    const settings = { fsync: 'off' }
    let postgres: EmbeddedPostgres = await startPostgres({ dataDir, port, settings })
    cleanups.push(() => postgres.stop('immediate'))
    await onServer(postgres.url, `create database ${DATABASE}`)
    const databaseUrl = databaseAt(postgres.url, DATABASE)

    const start = async (path: string, env: Record<string, string>, logFile: string) => {
      if (isClosing) throw new Error('The run is being ended')
      const program = await startProgram({ path, env, logFile, onSpawn: (kill) => cleanups.push(kill) })
      return program
    }
    const sandbox = await start(
      'apps/sandbox/src/main.ts',
      {
        SANDBOX_PORT: String(await freePort()),
        SANDBOX_SMTP_PORT: '0',
        SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
        SANDBOX_CALLBACK_DELAY_MS: '40',
        SANDBOX_RETRY_SCALE: '0.02',
        SANDBOX_ACCESS_TIMEOUT_MINUTES: String(abandonedAfterS / 60),
      },
      join(dataDir, 'sandbox.log'),
    )
    if (!sandbox) throw new Error('The sandbox did not start')
    const sandboxUrl = String(sandbox.ready.url)

    const ports = await Promise.all(Array.from({ length: API_PROCESSES }, freePort))
    const front = await openFrontDoor(ports)
    cleanups.push(front.close)
    const logFiles = ports.map((_, which) => join(dataDir, `api-${which}.log`))
    const apis: (Program | undefined)[] = []
    let deaths = 0
    /** Whoever runs a shop starts again what ends by itself; here it is counted besides. */
    const watch = (which: number, api: Program): void => {
      void api.ended.then(() => {
        if (isClosing || apis[which] !== api || meant.has(api)) return
        deaths++
        void startApi(which).catch(console.error)
      })
    }
    const meant = new WeakSet<Program>()
    /** Again and again: the database may be away at the moment, or another program on the port for a while. */
    const startApi = async (which: number): Promise<void> => {
      for (let tries = 0; tries < START_TRIES && !isClosing; tries++) {
        const env = {
          DATABASE_URL: databaseUrl,
          DATA_DIR: dataDir,
          PORT: String(ports[which]),
          PUBLIC_URL: front.url,
          METRICS_PORT: '0',
          GATE_URL: sandboxUrl,
          SMTP_URL: `smtp://127.0.0.1:${sandbox.ready.smtpPort}`,
          LOG_LEVEL: 'warn',
          RATE_LIMIT_SCALE: '0',
          // So that refunds meet earnings that are held and earnings that are available.
          PARTNER_HOLD_DAYS: '0',
        }
        const api = await start('apps/api/src/main.ts', env, logFiles[which] as string)
        apis[which] = api
        if (api) return watch(which, api)
        await sleep(PAUSE_MS)
      }
      throw new Error(`An API process does not start: see ${logFiles[which]}`)
    }
    await startApi(0)
    await Promise.all(ports.slice(1).map((_, i) => startApi(i + 1)))

    const { db } = openDatabase(databaseUrl, () => undefined, 6)
    cleanups.push(() => db.destroy())

    const killApis = async (which: readonly number[]) => {
      await Promise.all(
        which.map(async (one) => {
          const api = apis[one]
          // One that is being started again by itself is let be.
          if (!api?.isAlive()) return
          meant.add(api)
          await api.kill()
          await startApi(one)
        }),
      )
    }
    return {
      dataDir,
      front,
      sandboxUrl,
      db,
      killApis,
      restartPostgres: async (mode) => {
        await postgres.stop(mode)
        await sleep(PAUSE_MS)
        postgres = await startPostgres({ dataDir, port, settings })
      },
      stopPrograms: async () => {
        for (const api of apis) if (api) meant.add(api)
        const ends = await Promise.all(apis.map((api) => api?.stop() ?? null))
        await sandbox.stop()
        return ends
      },
      deaths: () => deaths,
      logFiles,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
