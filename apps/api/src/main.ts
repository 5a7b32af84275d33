import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { type RunningServer, StartError, startServer } from './server.ts'
import { readSettings, SettingsError } from './settings.ts'

const STOP_WITHIN_MS = 15_000
const storefront = fileURLToPath(new URL('../../storefront/dist', import.meta.url))

const start = async (): Promise<RunningServer> => {
  const settings = readSettings(process.env)
  return startServer({ settings, ...(existsSync(storefront) ? { storefrontDir: storefront } : {}) })
}

try {
  const server = await start()
  closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, async ({ err }) => {
    if (err) console.error(err)
    await server.stop()
  })
  process.send?.({ ready: true, url: server.url })
} catch (error) {
  const isForOperator = error instanceof StartError || error instanceof SettingsError
  console.error(isForOperator ? error.message : error)
  process.exitCode = 1
}
