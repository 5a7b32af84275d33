/** `node apps/api/src/try-copy.ts`: starts a shop on a copy of its database, sees it answer, and stops it. It sends nothing. */
import { SettingsError } from '@hedgerow/settings/settings-error'
import { isShopConnected } from '#care/backup/catalogue.queries.ts'
import { openDatabase } from '#platform/database/client.ts'
import { databaseFault } from '#platform/database/database-fault.ts'
import { withSecretFiles } from '#platform/settings/secret-files.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'
import { startServer } from '#server/server.ts'

/** Nobody listens there: what would be sent all the same goes nowhere. */
const NOWHERE = '127.0.0.1:9'
const ASKED = ['/healthz', '/readyz', '/api/v1/locations']

const withoutOutside = (settings: Settings): Settings => ({
  ...settings,
  port: 0,
  host: '127.0.0.1',
  metricsPort: 0,
  consolePort: null,
  smtpUrl: `smtp://${NOWHERE}`,
  gate: settings.gate && { ...settings.gate, url: `http://${NOWHERE}` },
  dataApi: null,
  bucket: null,
  viesUrl: undefined,
})

/** A copy is nobody's shop. What someone sells from is left alone. */
const refuseUnlessCopy = async (url: string): Promise<void> => {
  const { db } = openDatabase(url, () => undefined, 1)
  try {
    if (await isShopConnected(db))
      throw new StartError('A shop is connected to this database, so it is no copy. Nothing was started.')
  } catch (error) {
    throw databaseFault(error, url)
  } finally {
    await db.destroy()
  }
}

try {
  const settings = readSettings(withSecretFiles(process.env))
  const { databaseUrl } = settings
  if (!databaseUrl) throw new StartError('Set DATABASE_URL to the copy.')
  await refuseUnlessCopy(databaseUrl)
  const server = await startServer({ settings: withoutOutside(settings), runsJobs: false })
  try {
    for (const path of ASKED) {
      const { status } = await fetch(server.url + path)
      if (status !== 200) throw new StartError(`The shop on the copy answers ${path} with ${status}.`)
    }
  } finally {
    await server.stop()
  }
  console.log('A shop starts on the copy and answers.')
} catch (error) {
  const isForOperator = error instanceof StartError || error instanceof SettingsError
  console.error(isForOperator ? error.message : error)
  process.exitCode = 1
}
