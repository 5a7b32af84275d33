/**
 * `npm start`: builds what has changed, starts the sandbox where the outside world is not set, and the shop. With `--demo` a
 * shop with a past, in a folder of its own. With `--dev` (`npm run dev`) nothing is built: pages change while they are open, and
 * the API starts again when a file of it does.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brandFrom } from '@hedgerow/brand/brand'
import { freePort, isPortFree } from '@hedgerow/embedded-postgres/ports'
import { versionLine } from '@hedgerow/settings/running-version'
import { API_FLAGS, PROGRAM_ENV, SANDBOX_FLAGS } from './api-process.ts'
import { buildPages } from './build-pages.ts'
import { withRestarts } from './restarts.ts'
import { readOptions } from './start-options.ts'
import { shopReady } from './words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { env } = process
const API = 'apps/api/src/main.ts'
const DEMO = 'apps/api/src/demo/main.ts'

const optionsOrStop = () => {
  try {
    return readOptions(process.argv.slice(2), env)
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(1)
  }
}

const { demo, isDev, isVersionAsked } = optionsOrStop()
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
  consoleUrl?: string
  operatorLink?: string
  /** Of the demonstration: whom to log in as. */
  customer?: { email: string; password: string }
}

type Start = {
  execArgv?: string[]
  args?: string[]
  /** Called when it has ended by itself. */
  onEnd?: () => void
}

const children: ChildProcess[] = []
const building = new AbortController()
let isStopping = false

/** Starts a program of ours. `ready` is undefined when it ended before it was. */
const launch = (
  path: string,
  more: NodeJS.ProcessEnv,
  { execArgv = [], args = [], onEnd = () => void stopAll(1) }: Start = {},
): { child: ChildProcess; ready: Promise<Ready | undefined> } => {
  // In a group of its own: Ctrl-C comes to us, and we stop the programs in turn.
  const child = fork(resolve(root, path), args, {
    env: { ...PROGRAM_ENV, ...env, ...more },
    execArgv,
    detached: true,
    stdio: 'inherit',
  })
  children.push(child)
  const ready = new Promise<Ready | undefined>((settle) => {
    child.once('message', (message) => settle(message as Ready))
    child.once('exit', () => {
      settle(undefined)
      if (!isStopping && children.includes(child)) onEnd()
    })
  })
  return { child, ready }
}

/** Starts a program of ours, and waits until it says that it is ready. Undefined when it could not start. */
const startProgram = (...start: Parameters<typeof launch>) => launch(...start).ready

/** Runs a part of the demonstration to its end; where it fails it has said why, and nothing is started. */
const runDemo = async (args: string[], more: NodeJS.ProcessEnv = {}): Promise<void> => {
  if (isStopping) return
  const child = fork(resolve(root, DEMO), args, {
    env: { ...PROGRAM_ENV, ...env, ...more },
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

const stop = async (child: ChildProcess): Promise<void> => {
  children.splice(children.indexOf(child), 1)
  child.kill('SIGTERM')
  await ended(child)
}

/** The shop first, so that it can still reach the sandbox while it stops. */
const stopAll = async (code: number): Promise<void> => {
  if (isStopping) return
  isStopping = true
  building.abort()
  for (const child of children.toReversed()) await stop(child)
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
if (!isDev) await buildPages(root, building.signal)

/** Known before a program listens there, so that others need not wait for it. */
const portOf = async (value: string): Promise<string> =>
  Number(value) === 0 ? String(await freePort()) : value

const more: NodeJS.ProcessEnv = {}
let sandboxUrl: string | undefined
let sandboxReady: Promise<Ready | undefined> | undefined
if (needsSandbox && !isStopping) {
  console.log('Starting the sandbox …')
  const sandboxPort = await portOf(env.SANDBOX_PORT || '3001')
  const smtpPort = await portOf(env.SANDBOX_SMTP_PORT || '0')
  sandboxUrl = env.SANDBOX_PUBLIC_URL || `http://localhost:${sandboxPort}`
  more.GATE_URL = env.GATE_URL || sandboxUrl
  more.SMTP_URL = env.SMTP_URL || `smtp://127.0.0.1:${smtpPort}`
  sandboxReady = startProgram(
    'apps/sandbox/src/main.ts',
    {
      SANDBOX_PORT: sandboxPort,
      SANDBOX_SMTP_PORT: smtpPort,
      SANDBOX_DATA_DIR: resolve(env.DATA_DIR || './data', 'sandbox'),
      SANDBOX_MERCHANT_NAME: brandFrom(env).name,
      SANDBOX_SHOP_URL: env.SANDBOX_SHOP_URL || `http://localhost:${port}`,
      SANDBOX_SHOP_TOOL: env.SANDBOX_SHOP_TOOL || resolve(root, 'apps/api/src/ops.ts'),
      SANDBOX_STRIPE_WEBHOOK_URL:
        env.SANDBOX_STRIPE_WEBHOOK_URL || `http://localhost:${port}/api/v1/payment/stripe`,
      SANDBOX_BTCPAY_WEBHOOK_URL:
        env.SANDBOX_BTCPAY_WEBHOOK_URL || `http://localhost:${port}/api/v1/payment/btcpay`,
    },
    { execArgv: SANDBOX_FLAGS },
  )
}
if (demo) {
  await sandboxReady
  await runDemo(['settle'], more)
}

const startShop = () => startProgram(API, more, { execArgv: API_FLAGS })

/** The pages at the addresses that the shop has otherwise, and the API behind them. */
const startDevShop = async (): Promise<Ready | undefined> => {
  const { servePages } = await import('./dev-pages.ts')
  const host = env.HOST || '127.0.0.1'
  const consolePort = Number(env.CONSOLE_PORT || 3002)
  const publicUrl = env.PUBLIC_URL || `http://localhost:${port}`
  const consoleUrl = env.CONSOLE_URL || `http://localhost:${consolePort}`
  const [apiPort, consoleApiPort] = [await freePort(), await freePort()]
  const behind = {
    ...more,
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    PUBLIC_URL: publicUrl,
    CONSOLE_HOST: '127.0.0.1',
    CONSOLE_PORT: String(consoleApiPort),
    CONSOLE_URL: consoleUrl,
  }
  const onEnd = () => console.error('The API has ended. It starts again when one of its files changes.')
  let running: ChildProcess | undefined
  const api = withRestarts({
    start: () => {
      const { child, ready } = launch(API, behind, { execArgv: API_FLAGS, args: ['--api-only'], onEnd })
      running = child
      return ready
    },
    stop: async () => running && stop(running),
  })
  await servePages({
    root,
    sites: [
      { name: 'storefront', host, port, publicUrl, apiUrl: `http://127.0.0.1:${apiPort}` },
      {
        name: 'console',
        host: env.CONSOLE_HOST || '127.0.0.1',
        port: consolePort,
        publicUrl: consoleUrl,
        apiUrl: `http://127.0.0.1:${consoleApiPort}`,
      },
    ],
    apiReady: api.ready,
    apiChanged: () => {
      console.log('Starting the API again …')
      void api.restart().then((ready) => {
        // Made anew by each start, as long as no operator can log in.
        const link = ready?.operatorLink
        if (ready) console.log(link ? `The API is ready. Its first owner: ${link}` : 'The API is ready.')
      })
    },
  }).catch((error: Error) => {
    console.error(`The pages cannot be served: ${error.message}`)
    return stopAll(1)
  })
  // The pages are there even while the API cannot start.
  return (await api.ready()) ?? { ready: true, url: publicUrl, consoleUrl }
}

let shop: Ready | undefined
if (!isStopping) {
  console.log('Starting the shop …')
  shop = await (isDev ? startDevShop() : startShop())
  await sandboxReady
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
