import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { startSandbox } from '@hedgerow/sandbox/app'
import type { Call } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { startGatewayProxy } from '@hedgerow/testing/gateway-proxy'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { type ApiProcess, startApiProcess } from '#testing/api-process.ts'
import { databaseAt } from '#testing/template-database.ts'
import type { Environment } from '#testing/test-shop.ts'

/** Stands before a mail server, and keeps what goes through, byte for byte. */
const listenIn = async (port: number) => {
  const heard: Buffer[] = []
  const server = createServer((client) => {
    const inner = connect(port, '127.0.0.1')
    client.on('data', (chunk) => heard.push(chunk as Buffer))
    client.pipe(inner).pipe(client)
    for (const socket of [client, inner]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard).toString('latin1'),
  }
}

/** What a folder holds, as it lies on the disk. */
export const filesIn = async (folder: string): Promise<{ name: string; bytes: Buffer }[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return { name: relative(folder, path), bytes: await readFile(path) }
    }),
  )
}

/** The database tells its own log every statement with what it carries. */
const logEveryStatement = async (db: Db): Promise<void> => {
  await sql`alter system set log_statement = 'all'`.execute(db)
  await sql`alter system set log_parameter_max_length_on_error = -1`.execute(db)
  await sql`alter system set log_min_messages = 'debug1'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
}

/** Folders for everything that the shop, its database and the sandbox write; gone with the test. */
const openFolders = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-watched-'))
  const [dataDir, tmp, cwd, sandboxDir] = ['data', 'tmp', 'cwd', 'sandbox'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  for (const path of [dataDir, tmp, cwd, sandboxDir]) await mkdir(path)
  const stopDatabase = async () => {
    if (await findRunning(dataDir)) await (await startPostgres({ dataDir })).stop()
  }
  onTestFinished(async () => {
    await stopDatabase()
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, dataDir, tmp, cwd, sandboxDir, stopDatabase }
}

/** The gateway and the mail server, and what reaches them. */
const openOutside = async (dataDir: string) => {
  const sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    callbackDelayMs: 0,
    retryScale: 0.001,
    dataDir,
  })
  onTestFinished(() => sandbox.close())
  const proxy = await startGatewayProxy(sandbox.url)
  onTestFinished(proxy.close)
  return { sandbox, proxy, mails: await listenIn(sandbox.smtpPort) }
}

/**
 * A shop in a process of its own that brings its own database and says all it can, with every file that anything in it
 * writes in one folder, and everything that leaves it kept.
 */
export const startWatchedShop = async () => {
  const { folder, dataDir, tmp, cwd, sandboxDir, stopDatabase } = await openFolders()
  const { sandbox, proxy, mails } = await openOutside(sandboxDir)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env: Environment = {
    DATA_DIR: dataDir,
    TMPDIR: tmp,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    CONSOLE_PORT: 'off',
    GATE_URL: proxy.url,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    LOG_LEVEL: 'trace',
    RATE_LIMIT_SCALE: '0',
  }
  const started: ApiProcess[] = []
  const lastFault: unknown[] = []
  const start = async (more: Environment = {}): Promise<ApiProcess> => {
    // After a crash the database takes a moment to notice that the folder is free.
    const launch = () => startApiProcess({ ...env, ...more }, { cwd, mayDumpCore: true })
    const api = await until(() => launch().catch((error) => void lastFault.push(error)))
    started.push(api)
    return api
  }
  const answers: string[] = []
  const call: Call = async (...given) => {
    const reply = await (started.at(-1) as ApiProcess).call(...given)
    answers.push(JSON.stringify([...reply.headers]), reply.text)
    return reply
  }
  await start()
  const { db } = openDatabase(databaseAt((await findRunning(dataDir)) ?? '', 'hedgerow'), () => undefined, 4)
  onTestFinished(() => db.destroy())
  await logEveryStatement(db)
  return {
    folder,
    port,
    db,
    call,
    sandbox,
    restart: start,
    api: () => started.at(-1) as ApiProcess,
    /** What the gateway was asked. */
    gateCalls: proxy.calls,
    holdGateCalls: proxy.hold,
    /** Everything that the shop gave out, by where. */
    said: {
      answers: () => answers.join('\n'),
      log: () => started.map((api) => api.output()).join('\n'),
      mails: mails.heard,
      metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    },
    stopDatabase,
  }
}

export type WatchedShop = Awaited<ReturnType<typeof startWatchedShop>>
