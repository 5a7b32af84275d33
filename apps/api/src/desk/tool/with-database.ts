import { recorded } from '#desk/tool/acting.ts'
import { toolRun } from '#desk/tool/run.ts'
import { keepsRecord } from '#people/operators/operator-actions.ts'
import { type Db, type OpenDatabase, openDatabase } from '#platform/database/client.ts'
import { databaseFault } from '#platform/database/database-fault.ts'
import { type EmbeddedDatabase, holdEmbedded, joinEmbedded } from '#platform/database/embedded.ts'
import { readDatabaseSettings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

/** A backup takes two of them, and is interrupted by another. */
const CONNECTIONS = 3
/** What the shell answers for a program that was interrupted. */
const INTERRUPTED = 130

const WAS_CUT = /^Connection terminated|not queryable/
/** A table or a column that is not there. */
const OTHER_VERSION = new Set(['42P01', '42703', '3F000'])

const forOperator = (error: unknown, url: string): unknown => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (OTHER_VERSION.has(code))
    return new StartError(
      'The database belongs to another version of the shop. Start the shop in this version once to bring it up to date.',
    )
  if (WAS_CUT.test(message))
    return new StartError(
      'The connection to the database was lost, perhaps because the shop stopped. Run the command again.',
    )
  return databaseFault(error, url)
}

type Use<T> = (database: OpenDatabase, signal: AbortSignal) => Promise<T>

type RunOptions = {
  /** How the embedded server is used, where there is one. */
  embedded: (dataDir: string) => Promise<EmbeddedDatabase>
  /** It hears of an interruption by its signal, and ends what it was at by itself. */
  isTidy: boolean
  /** There is no shop yet that the deed could be recorded in: it is afterwards. */
  isNew?: boolean
  /** A database of an older version, which keeps no record, will do. */
  mayBeOlder?: boolean
}

/** What changes something or opens a person's data is recorded, by the class of the command. */
const runRecorded = async <T>(
  { db }: OpenDatabase,
  { isNew, mayBeOlder }: RunOptions,
  act: () => Promise<T>,
): Promise<T> => {
  if (!isNew) return mayBeOlder && !(await keepsRecord({ db })) ? act() : recorded(db, act)
  const result = await act()
  await recorded(db, async () => undefined)
  return result
}

const runOn = async <T>(use: Use<T>, options: RunOptions): Promise<T> => {
  const { embedded: open, isTidy } = options
  const { env, signals, exit } = toolRun()
  const { dataDir, databaseUrl } = readDatabaseSettings(env)
  const embedded = databaseUrl ? undefined : await open(dataDir)
  const url = databaseUrl ?? embedded?.url ?? ''
  const database = openDatabase(url, () => undefined, CONNECTIONS)
  const abort = new AbortController()
  let running: Promise<T> | undefined
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    if (isTidy) await running?.catch(() => undefined)
    await database.db.destroy()
    await embedded?.stop()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  const interrupt = () => {
    abort.abort()
    void close().finally(() => exit(INTERRUPTED))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) signals.once(signal, interrupt)
  try {
    running = runRecorded(database, options, () => use(database, abort.signal))
    return await running
  } catch (error) {
    // Interrupted: what fails for want of the database is nobody's business.
    if (closing) return await new Promise<never>(() => undefined)
    throw forOperator(error, url)
  } finally {
    await close()
  }
}

/** Runs a command on the shop's database, beside the shop or without it, and leaves all as it was. */
export const withDatabase = <T>(use: (db: Db) => Promise<T>): Promise<T> =>
  runOn(({ db }) => use(db), { embedded: joinEmbedded, isTidy: false })

/** The same for what takes long, and tidies up when it is interrupted. */
export const withWholeDatabase = <T>(use: Use<T>): Promise<T> =>
  runOn(use, { embedded: joinEmbedded, isTidy: true, mayBeOlder: true })

/** The same for a database that is to become a shop's; on the embedded server nobody else opens the shop meanwhile. */
export const withNewDatabase = <T>(use: Use<T>): Promise<T> =>
  runOn(use, { embedded: holdEmbedded, isTidy: true, isNew: true })
