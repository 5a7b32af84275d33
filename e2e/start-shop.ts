import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@hedgerow/testing/free-port'

const START = fileURLToPath(new URL('../scripts/start.ts', import.meta.url))

/** What `npm start` tells whoever started it; the link is the first owner's, and works once. */
type Started = { sandboxUrl: string; consoleUrl: string; operatorLink: string }

/** Where the tests of this process find their shop. */
const addresses = () => {
  const { SHOP_URL, SHOP_DATA_DIR, SANDBOX_URL, SHOP_CONSOLE_URL, SHOP_OWNER_LINK } = process.env
  return SHOP_URL ? { SHOP_URL, SHOP_DATA_DIR, SANDBOX_URL, SHOP_CONSOLE_URL, SHOP_OWNER_LINK } : {}
}

/**
 * Starts a shop exactly as `npm start` does, on free ports and an empty data folder, and has the tests of this process use
 * it; returns what stops it again, and has them use the one before.
 */
export const startShop = async (settings: NodeJS.ProcessEnv = {}): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hedgerow-e2e-'))
  const port = String(await freePort())
  const env = {
    ...process.env,
    PORT: port,
    SANDBOX_PORT: String(await freePort()),
    METRICS_PORT: '0',
    CONSOLE_PORT: String(await freePort()),
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '0',
    ...settings,
  }
  const shop = fork(START, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exit = once(shop, 'exit')
  const [message] = await Promise.race([once(shop, 'message'), exit.then(() => [undefined])])
  if (!message) throw new Error('The shop did not start; what it said stands above.')
  const { sandboxUrl, consoleUrl, operatorLink } = message as Started
  const before = addresses()
  Object.assign(process.env, {
    SHOP_URL: `http://localhost:${port}`,
    SHOP_DATA_DIR: dataDir,
    SANDBOX_URL: sandboxUrl,
    SHOP_CONSOLE_URL: consoleUrl,
    SHOP_OWNER_LINK: operatorLink,
  })
  return async () => {
    shop.kill('SIGTERM')
    await exit
    await rm(dataDir, { recursive: true, force: true })
    Object.assign(process.env, before)
  }
}

/** The one shop of all tests that want no other. */
export default (): Promise<() => Promise<void>> => startShop()
