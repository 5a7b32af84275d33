import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { versionLine } from '@hedgerow/settings/running-version'
import { SettingsError } from '@hedgerow/settings/settings-error'
import closeWithGrace from 'close-with-grace'
import { pagesFolder } from '#platform/http/files/pages-folder.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { exposingOptions, keepMemoryPrivate } from '#platform/private-memory.ts'
import { withSecretFiles } from '#platform/settings/secret-files.ts'
import { readSettings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'
import { putPasswordsBehindPages } from '#platform/thread-priorities.ts'

const STOP_WITHIN_MS = 15_000
/** Longer than a first start takes on a busy machine: what is ended before leaves its database running. */
const STOP_STARTING_WITHIN_MS = 60_000
const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** In development (`npm run dev`) the pages come from elsewhere, whatever has been built. */
const isApiOnly = process.argv.includes('--api-only')

/**
 * A database that is being brought up would go on alone if a signal ended what starts it: until that has come up, a signal is
 * kept. A second one ends all at once, as does a start that takes too long. Returns whether it is to stop.
 */
const keepSignals = (): (() => boolean) => {
  let mustStop = false
  const wasConnected = process.connected
  const note = () => {
    mustStop = true
    setTimeout(() => process.exit(1), STOP_STARTING_WITHIN_MS).unref()
  }
  for (const signal of STOPPING) process.once(signal, note)
  return () => {
    for (const signal of STOPPING) process.off(signal, note)
    return mustStop || (wasConnected && !process.connected)
  }
}

if (process.argv[2] === '--version') {
  console.log(versionLine())
  process.exit()
}
keepMemoryPrivate()
try {
  const exposing = exposingOptions(process.env, process.execArgv)
  if (process.env.NODE_ENV === 'production' && exposing.length > 0)
    throw new StartError(`${exposing.join(', ')} would expose the card numbers in memory. Start without.`)
  const read = readSettings(withSecretFiles(process.env))
  // Each is read by those alone that need it: what starts the others holds nothing of the shop.
  if (cluster.isPrimary && read.pagesDir && !isApiOnly)
    await (await import('#server/write-pages.ts')).writePages(read.pagesDir)
  if (cluster.isPrimary && read.processes > 1)
    await (await import('#server/processes/run-processes.ts')).runProcesses(read)
  const { startServer } = await import('#server/server.ts')
  // What is to be said once is said by the first of several, and not by those that follow one that ended.
  const isFirst = cluster.isPrimary || cluster.worker?.id === 1
  const settings = isFirst ? read : { ...read, warnings: [] }
  const storefront = pagesFolder('storefront', settings)
  const operatorsConsole = pagesFolder('console', settings)
  const isBuilt = !isApiOnly && existsSync(storefront)
  const wasStopped = settings.databaseUrl ? () => false : keepSignals()
  const server = await startServer({
    settings,
    ...(isBuilt ? { storefrontDir: storefront } : {}),
    ...(!isApiOnly && existsSync(operatorsConsole) ? { consoleDir: operatorsConsole } : {}),
  })
  putPasswordsBehindPages()
  // One of several is stopped by what started it, and perhaps by what stops them all: the second is no hurry.
  const skip = cluster.isWorker ? [...STOPPING] : []
  const closer = closeWithGrace({ delay: STOP_WITHIN_MS, logger: false, skip }, async ({ err }) => {
    if (err) createLog(settings.logLevel).fatal({ err }, 'a fault ends the process')
    await server.stop({ atOnce: err !== undefined })
  })
  let isClosing = false
  const close = () => {
    if (!isClosing) closer.close()
    isClosing = true
  }
  for (const signal of skip) process.on(signal, close)
  // Started by another program: nothing would stop this one when that has gone.
  process.on('disconnect', close)
  if (!isApiOnly && !isBuilt && isFirst)
    console.error('The storefront is not built (npm run build), so only the API is served.')
  if (wasStopped()) close()
  else
    process.send?.({
      ready: true,
      url: settings.publicUrl,
      ...(server.consoleUrl ? { consoleUrl: settings.consoleUrl } : {}),
      // In production it would stand in a log. There the operator's tool makes it.
      ...(server.consoleUrl && !settings.isProduction && isFirst
        ? { operatorLink: await server.operatorLink() }
        : {}),
    })
} catch (error) {
  const isForOperator = error instanceof StartError || error instanceof SettingsError
  if (isForOperator) console.error(error.message)
  // With file and line, which the log leaves out.
  else if (isApiOnly) console.error(error)
  else createLog('fatal').fatal({ err: error }, 'the shop cannot start')
  process.exitCode = 1
  // What started it as one of several would keep it alive.
  cluster.worker?.disconnect()
}
