import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import Cursor from 'pg-cursor'
import { keepStatements } from '#platform/database/prepared.ts'
import type { Database } from '#platform/database/schema.ts'
import { connectPatiently, createCut, shopPoolConfig, watchRefusals } from '#platform/database/shop-pool.ts'

export type Db = Kysely<Database>
/** What must happen whole or not at all asks for this, so that without a transaction it does not compile. */
export type Trx = Transaction<Database>

export type OpenDatabase = {
  db: Db
  pool: Pool
  /** Cuts the connections that were opened before a moment of `performance.now()`. */
  cut: (openedBefore: number) => void
}

/** For calls, and what jobs read and write. What is not used for ten seconds is closed. */
const POOL_SIZE = 16

/** A program that died in the middle of a transaction, or whose network did, holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** For the shop itself: so long may a statement take, waiting for others included; and no server is waited for for ever. */
export const shopLimits = ({ statementTimeoutSeconds }: { statementTimeoutSeconds: number }): PoolConfig => ({
  ...shopPoolConfig,
  statement_timeout: statementTimeoutSeconds * 1000,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
})

const BURST_MS = 5_000

/** When a server goes, all its connections go: a line for the first of them, and one for how many more there were. */
export const tellOfLosses = (log: Pick<FastifyBaseLogger, 'warn'>) => {
  let more: number | undefined
  return (error: Error): void => {
    if (more !== undefined) return void more++
    more = 0
    log.warn({ err: error }, 'a database connection was lost')
    setTimeout(() => {
      if (more) log.warn({ more }, 'more database connections were lost')
      more = undefined
    }, BURST_MS).unref()
  }
}

/**
 * A pool of connections. `onError` hears of connections that the server cut; without it such a cut ends the process.
 * Without `limits` everything may take as long as it takes, as for a program that is run by hand.
 */
export const openDatabase = (
  url: string,
  onError: (error: Error) => void,
  size = POOL_SIZE,
  limits: PoolConfig = {},
): OpenDatabase => {
  const pool = new Pool({ ...limits, connectionString: url, max: size, application_name: 'hedgerow' })
  // The end of the pool does not wait until its connections are shut: what the server says to them then is no loss.
  const onLost = (error: Error) => {
    if (!pool.ending) onError(error)
  }
  pool.on('error', onLost)
  pool.on('connect', (client) => {
    client.on('error', onLost)
    keepStatements(client)
  })
  watchRefusals(pool, () => fullAt.set(db, performance.now()))
  const patient = { options: pool.options, connect: () => connectPatiently(pool), end: () => pool.end() }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: patient, cursor: Cursor }) })
  return { db, pool, cut: createCut(pool) }
}

const fullAt = new WeakMap<Db, number>()
/** Some write is tried more often than that. */
const FULL_FOR_MS = 60_000

/** A minute ago or less, the server had no room to write something. */
export const isDatabaseFull = (db: Db): boolean =>
  performance.now() - (fullAt.get(db) ?? Number.NEGATIVE_INFINITY) < FULL_FOR_MS

type Timeout = 'statement_timeout' | 'lock_timeout'

/** Works on one connection, where other limits hold than in the pool; 0 is none. */
export const withTimeouts = <T>(
  db: Db,
  timeouts: Readonly<Partial<Record<Timeout, number>>>,
  use: (own: Db) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (own) => {
    const names = Object.keys(timeouts) as Timeout[]
    for (const name of names)
      await sql`select set_config(${name}, ${String(timeouts[name])}, false)`.execute(own)
    try {
      return await use(own)
    } finally {
      for (const name of names) await sql`reset ${sql.raw(name)}`.execute(own)
    }
  })
