import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmbeddedPostgres, findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { Client } from 'pg'
import { StartError } from '#platform/start-error.ts'

export type EmbeddedDatabase = { url: string; stop: () => Promise<void> }

const DATABASE = 'hedgerow'

/** Held by the one shop that the folder belongs to. */
const OWNER = "hashtext('hedgerow data folder')"
/** Shared by every program that uses the server; alone by the last that leaves, so that it may stop it. */
const USERS = "hashtext('hedgerow data folder users')"

const TRIES = 60
const BETWEEN_TRIES_MS = 250
/** Of two that start the server at once one fails, and the other may have stopped it again before the first looks. */
const FAILED_STARTS = 3

/** What one meets who comes while the server stops or starts. */
const isPassing = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(?:57P0[123]|ECONNREFUSED|ECONNRESET)$/.test(code) ||
    /^Connection terminated|not queryable$/.test(message)
  )
}

type Used = { postgres: EmbeddedPostgres; holder: Client }

/** Starts the server on the folder, or finds it running, and says that we use it. The lock lives as long as `holder`. */
const use = async (dataDir: string, triesLeft = TRIES, startsLeft = FAILED_STARTS): Promise<Used> => {
  let holder: Client | undefined
  try {
    const postgres = await startPostgres({ dataDir })
    holder = new Client({ connectionString: postgres.url, application_name: `hedgerow ${process.pid}` })
    holder.on('error', () => undefined)
    await holder.connect()
    // Waits while the last user stops the server, and is cut off with it.
    await holder.query(`select pg_advisory_lock_shared(${USERS})`)
    return { postgres, holder }
  } catch (error) {
    await holder?.end().catch(() => undefined)
    const isThere = isPassing(error) || (await findRunning(dataDir).catch(() => undefined))
    const left = isThere ? startsLeft : startsLeft - 1
    if (triesLeft <= 1 || left < 1) throw error
    await pause(BETWEEN_TRIES_MS)
    return use(dataDir, triesLeft - 1, left)
  }
}

const databaseOn = (serverUrl: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  return url.href
}

const hasDatabase = async (holder: Client): Promise<boolean> =>
  (await holder.query('select from pg_database where datname = $1', [DATABASE])).rowCount === 1

/** The embedded server with our database in it, held against a second shop on the same folder. */
export const holdEmbedded = async (dataDir: string): Promise<EmbeddedDatabase> => {
  const { postgres, holder } = await use(dataDir)
  // The lock lives as long as this connection does, so a crash gives it back by itself.
  const { rows } = await holder.query(`select pg_try_advisory_lock(${OWNER}) as is_ours`)
  if (!rows[0].is_ours) {
    await holder.end()
    throw new StartError(
      `${dataDir} is in use by another running shop. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  if (!(await hasDatabase(holder))) await holder.query(`create database ${DATABASE}`)
  return {
    url: databaseOn(postgres.url),
    stop: async () => {
      await holder.end().catch(() => undefined)
      await postgres.stop()
    },
  }
}

const noShop = (dataDir: string) =>
  new StartError(
    `There is no shop's database in ${dataDir}. Start the shop once, or set DATA_DIR or DATABASE_URL as the shop has it.`,
  )

/** Gives the server up, and stops it if no other process uses it. */
const leave = async ({ postgres, holder }: Used): Promise<void> => {
  try {
    await holder.query(`select pg_advisory_unlock_shared(${USERS})`)
    const { rows } = await holder.query(`select pg_try_advisory_lock(${USERS}) as is_last`)
    if (rows[0].is_last) await postgres.stop()
  } catch (error) {
    // The shop has stopped its server meanwhile.
    if (!isPassing(error)) throw error
  } finally {
    await holder.end().catch(() => undefined)
  }
}

/** The same database for a program beside the shop, which may be running or not. */
export const joinEmbedded = async (dataDir: string): Promise<EmbeddedDatabase> => {
  if (!existsSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'))) throw noShop(dataDir)
  const used = await use(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error
    throw new StartError(
      `${dataDir} belongs to another user. Run this as the user who runs the shop, or set DATABASE_URL.`,
    )
  })
  if (!(await hasDatabase(used.holder))) {
    await leave(used)
    throw noShop(dataDir)
  }
  return { url: databaseOn(used.postgres.url), stop: () => leave(used) }
}
