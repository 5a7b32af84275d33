/**
 * `npm start`: builds what has changed, starts the sandbox where the outside world is not set, and the shop. With `--demo` a
 * shop with a past, in a folder of its own.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brandFrom } from '@hedgerow/brand/brand'
import { isPortFree } from '@hedgerow/embedded-postgres/ports'
import { versionLine } from '@hedgerow/settings/running-version'
import { API_FLAGS, COMPILE_CACHE } from './api-process.ts'
import { buildPages } from './build-pages.ts'
import { readOptions } from './start-options.ts'
import { shopReady } from './words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { env } = process
const DEMO = 'apps/api/src/demo/main.ts'

const optionsOrStop = () => {
  try {
    return readOptions(process.argv.slice(2), env)
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(1)
  }
}

const { demo, isVersionAsked } = optionsOrStop()
if (isVersionAsked) {
  console.log(versionLine())
  process.exit()
}
if (demo) env.DATA_DIR = demo.dataDir
const isProduction = env.NODE_ENV === 'production'
const needsSandbox = !isProduction && !(env.GATE_URL && env.SMTP_URL)

type Ready = {
  ready: true
  url: string
  smtpPort?: number
  consoleUrl?: string
  operatorLink?: string
  /** Of the demonstration: whom to log in as. */
  customer?: { email: string; password: string }
}

const children: ChildProcess[] = []
const building = new AbortController()
let isStopping = false

/** Starts a program of ours, and waits until it says that it is ready. Undefined when it could not start. */
const startProgram = (
  path: string,
  more: NodeJS.ProcessEnv,
  { execArgv = [], args = [] }: { execArgv?: string[]; args?: string[] } = {},
): Promise<Ready | undefined> => {
  // In a group of its own: Ctrl-C comes to us, and we stop the programs in turn.
  const child = fork(resolve(root, path), args, {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, ...more },
    execArgv,
    detached: true,
    stdio: 'inherit',
  })
  children.push(child)
  return new Promise((settle) => {
    child.once('message', (message) => settle(message as Ready))
    child.once('exit', () => {
      settle(undefined)
      if (!isStopping) void stopAll(1)
    })
  })
}

/** Runs a part of the demonstration to its end; where it fails it has said why, and nothing is started. */
const runDemo = async (args: string[], more: NodeJS.ProcessEnv = {}): Promise<void> => {
  if (isStopping) return
  const child = fork(resolve(root, DEMO), args, {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, ...more },
    detached: true,
    stdio: 'inherit',
  })
  children.push(child)
  const [code] = await once(child, 'exit')
  children.splice(children.indexOf(child), 1)
  if (code !== 0 && !isStopping) await stopAll(1)
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => child.once('exit', () => done()))

/** The shop first, so that it can still reach the sandbox while it stops. */
const stopAll = async (code: number): Promise<void> => {
  if (isStopping) return
  isStopping = true
  building.abort()
  for (const child of children.reverse()) {
    child.kill('SIGTERM')
    await ended(child)
  }
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0))

const port = Number(env.PORT || 3000)
if (Number.isInteger(port) && port > 0 && !(await isPortFree(port, env.HOST || '127.0.0.1'))) {
  console.error(
    `Port ${port} is in use, perhaps by a shop that is already running. Stop it, or set PORT and DATA_DIR.`,
  )
  process.exit(1)
}

// First: what stands in its way is said before anything is built.
if (demo) await runDemo(['make', ...demo.size])
await buildPages(root, building.signal)

const more: NodeJS.ProcessEnv = {}
let sandboxUrl: string | undefined
if (needsSandbox) {
  console.log('Starting the sandbox …')
  const sandbox = await startProgram('apps/sandbox/src/main.ts', {
    SANDBOX_SMTP_PORT: env.SANDBOX_SMTP_PORT || '0',
    SANDBOX_DATA_DIR: resolve(env.DATA_DIR || './data', 'sandbox'),
    SANDBOX_MERCHANT_NAME: brandFrom(env).name,
  })
  if (sandbox) {
    sandboxUrl = sandbox.url
    more.GATE_URL = env.GATE_URL || sandbox.url
    more.SMTP_URL = env.SMTP_URL || `smtp://127.0.0.1:${sandbox.smtpPort}`
  }
}
if (demo) await runDemo(['settle'], more)
let shop: Ready | undefined
if (!isStopping) {
  console.log('Starting the shop …')
  shop = await startProgram('apps/api/src/main.ts', more, { execArgv: API_FLAGS })
  const nodes =
    demo && shop && (await startProgram(DEMO, { ...more, SHOP_URL: shop.url }, { args: ['agents'] }))
  if (shop)
    console.log(
      shopReady({ ...shop, url: env.PUBLIC_URL || shop.url, sandboxUrl, customer: nodes?.customer }),
    )
}
process.send?.({
  ready: true,
  sandboxUrl,
  consoleUrl: shop?.consoleUrl,
  operatorLink: shop?.operatorLink,
})
