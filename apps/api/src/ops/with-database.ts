import { type Db, openDatabase } from '#database/client.ts'
import { databaseFault } from '#database/database-fault.ts'
import { joinEmbedded } from '#database/embedded.ts'
import { readDatabaseSettings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { recorded } from './acting.ts'

const CONNECTIONS = 2
/** What the shell answers for a program that was interrupted. */
const INTERRUPTED = 130

const WAS_CUT = /^Connection terminated|not queryable/
/** A table or a column that is not there. */
const OTHER_VERSION = new Set(['42P01', '42703', '3F000'])

const forOperator = (error: unknown, url: string): unknown => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (OTHER_VERSION.has(code))
    return new StartError(
      'The database is of another version of the shop. Start this version once, which brings it up to date.',
    )
  if (WAS_CUT.test(message))
    return new StartError('The database went away, perhaps with the shop. Run the command again.')
  return databaseFault(error, url)
}

/**
 * Runs a command on the shop's database, beside the shop or without it, and leaves all as it was. What changes something or
 * opens a person's data is recorded, by the class of the command.
 */
export const withDatabase = async <T>(use: (db: Db) => Promise<T>): Promise<T> => {
  const { dataDir, databaseUrl } = readDatabaseSettings(process.env)
  const embedded = databaseUrl ? undefined : await joinEmbedded(dataDir)
  const url = databaseUrl ?? embedded?.url ?? ''
  const { db } = openDatabase(url, () => undefined, CONNECTIONS)
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    await db.destroy()
    await embedded?.stop()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  const interrupt = () => void close().finally(() => process.exit(INTERRUPTED))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt)
  try {
    return await recorded(db, () => use(db))
  } catch (error) {
    // Interrupted: what fails for want of the database is nobody's business.
    if (closing) return await new Promise<never>(() => undefined)
    throw forOperator(error, url)
  } finally {
    await close()
  }
}
