import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { versionLine } from '@hedgerow/settings/running-version'
import { SettingsError } from '@hedgerow/settings/settings-error'
import closeWithGrace from 'close-with-grace'
import { createLog } from '#instrumentation/log.ts'
import { exposingOptions, keepMemoryPrivate } from '#private-memory.ts'
import { startServer } from '#server.ts'
import { readSettings } from '#settings.ts'
import { StartError } from '#start-error.ts'

const STOP_WITHIN_MS = 15_000
const storefront = fileURLToPath(new URL('../../storefront/dist', import.meta.url))
const operatorsConsole = fileURLToPath(new URL('../../console/dist', import.meta.url))

if (process.argv[2] === '--version') {
  console.log(versionLine())
  process.exit()
}
keepMemoryPrivate()
try {
  const exposing = exposingOptions(process.env, process.execArgv)
  if (process.env.NODE_ENV === 'production' && exposing.length > 0)
    throw new StartError(`${exposing.join(', ')} would expose the card numbers in memory. Start without.`)
  const settings = readSettings(process.env)
  const isBuilt = existsSync(storefront)
  const server = await startServer({
    settings,
    ...(isBuilt ? { storefrontDir: storefront } : {}),
    ...(existsSync(operatorsConsole) ? { consoleDir: operatorsConsole } : {}),
  })
  const closer = closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, async ({ err }) => {
    if (err) createLog(settings.logLevel).fatal({ err }, 'a fault ends the process')
    await server.stop()
  })
  if (!isBuilt) console.error('The storefront is not built (npm run build), so only the API is served.')
  process.send?.({
    ready: true,
    url: settings.publicUrl,
    ...(server.consoleUrl ? { consoleUrl: settings.consoleUrl } : {}),
    // In production it would stand in a log. There the operator's tool makes it.
    ...(server.consoleUrl && !settings.isProduction ? { operatorLink: await server.operatorLink() } : {}),
  })
  // Started by another program: nobody is left to stop this one when that has gone.
  process.on('disconnect', () => void closer.close())
} catch (error) {
  const isForOperator = error instanceof StartError || error instanceof SettingsError
  if (isForOperator) console.error(error.message)
  else createLog('fatal').fatal({ err: error }, 'the shop cannot start')
  process.exitCode = 1
}
