import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, callerOf } from '@hedgerow/testing/call'
import { type MeasuredProgram, startMeasured } from '@hedgerow/testing/cost/measured-program'
import { freePort } from '@hedgerow/testing/free-port'
import { type Db, openDatabase } from '#platform/database/client.ts'

/** As the shop is started in production (scripts/api-process.ts). */
/** One database's shops have one key. */
const KEY = randomBytes(32).toString('base64')

const FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=512']

export type MeasuredShop = {
  program: MeasuredProgram
  url: string
  metricsUrl: string
  call: Call
  db: Db
  sandbox: { program: MeasuredProgram; url: string }
  stop: () => Promise<void>
}

/** A storefront that is as small as one can be, in the form that the build writes. */
const writeStorefront = async (root: string): Promise<void> => {
  await mkdir(join(root, 'assets'))
  const files = {
    'index.html': '<!doctype html><title>Shop</title>',
    '404.html': '<!doctype html><title>Not found</title>',
    'spa.html': '<!doctype html><title>Shop</title>',
    'spa-paths.json': JSON.stringify(['/profile', '/payment/result/:paymentId']),
    'assets/app.js': 'export {}',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
}

/** The shop and the outside world, each in a process whose work is measured. */
export const startMeasuredShop = async (
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<MeasuredShop> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-fuzz-'))
  await writeStorefront(folder)
  const sandbox = await startMeasured('apps/sandbox/src/main.ts', {
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_CALLBACK_DELAY_MS: '0',
  })
  const port = String(await freePort())
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    METRICS_PORT: '0',
    CONSOLE_PORT: 'off',
    GATE_URL: String(sandbox.ready.url),
    SMTP_URL: `smtp://127.0.0.1:${sandbox.ready.smtpPort}`,
    KEY_ENCRYPTION_KEY: KEY,
    LOG_LEVEL: 'error',
    RATE_LIMIT_SCALE: '0',
    STOREFRONT_DIR: folder,
    ...more,
  }
  const program = await startMeasured('apps/api/src/testing/fuzz/shop-program.ts', env, FLAGS)
  const { db } = openDatabase(databaseUrl, () => undefined, 2)
  const url = String(program.ready.url)
  return {
    program,
    url,
    metricsUrl: `http://127.0.0.1:${program.ready.metricsPort}`,
    call: callerOf(url),
    db,
    sandbox: { program: sandbox, url: String(sandbox.ready.url) },
    stop: async () => {
      await db.destroy()
      await program.stop()
      await sandbox.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
