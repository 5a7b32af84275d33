import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Db, type OpenDatabase, openDatabase } from '#platform/database/client.ts'
import { compareSchema, type SchemaState } from '#platform/database/compare-schema.ts'
import { type KnownMigrations, SHOP_MIGRATIONS, withFloor } from '#platform/database/migrations.ts'
import { StartError } from '#platform/start-error.ts'

type Step = { known?: KnownMigrations; isOutsideTransaction?: boolean }

/** Our own tables, up to one migration or to the last. Given a transaction, all of it is done in that. */
export const migrateTables = async (
  db: Db,
  last?: string,
  { known = SHOP_MIGRATIONS, isOutsideTransaction = false }: Step = {},
): Promise<void> => {
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(await known.read()).map(([name, migration]) => [name, withFloor(migration)]),
      ),
  }
  // Given a transaction, the migrations outside of one are in it too.
  const migrator = new Migrator({ db, provider, disableTransactions: isOutsideTransaction })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}

/** Held while the shape of the database is changed; shared by a backup, for as long as it copies. */
export const MIGRATIONS_LOCK = "hashtext('hedgerow migrations')"

/** The queue's own tables. It makes them in transactions of its own. */
export const setUpQueue = async ({ pool }: Pick<OpenDatabase, 'pool'>): Promise<void> => {
  // A quarter of what the operator's tool would load, for the one command that needs it.
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: pool }).catch((error: Error) => {
    if (!error.message.includes('includes breaking migration')) throw error
    throw new StartError(
      'The queue of jobs has been brought up to date by a newer version, and this one is too old for it. Start a newer one; the way back to this one is a backup from before the upgrade.',
    )
  })
}

/** How long is waited, and for what. */
export type Patience = {
  /** For a table in use: so long, because everything that comes after waits behind. */
  lockMs: number
  /** Then it gives way for so long, and tries again, so many times. */
  givesWayMs: number
  tries: number
  /** An index that is built beside sales waits for earlier readers, and nothing waits behind it. */
  indexLockMs: number
  indexTries: number
  /** For its turn: a backup copies, or another program is at the same. It blocks nothing meanwhile. */
  turnMs: number
}

const PATIENCE: Patience = {
  lockMs: 2_000,
  givesWayMs: 5_000,
  tries: 60,
  indexLockMs: 10 * 60_000,
  indexTries: 6,
  turnMs: 60 * 60_000,
}
const LOOK_FOR_TURN_EVERY_MS = 250

/** So soon the server notices that a program which builds an index was killed: no other gets a turn before. */
const NOTICES_DEATH_MS = 2_000

type MigrateOptions = {
  log?: Pick<FastifyBaseLogger, 'warn'>
  patience?: Partial<Patience>
  known?: KnownMigrations
}

type Migrating = Required<Pick<MigrateOptions, 'known'>> &
  Pick<MigrateOptions, 'log'> & { patience: Patience }

/**
 * Not by a query that waits: one that waited for an hour would keep the database from tidying up, and an index that is built
 * beside it from ever being ready.
 */
const takeTurn = async (own: Db, { log, patience }: Migrating): Promise<void> => {
  const end = Date.now() + patience.turnMs
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_lock(${sql.raw(MIGRATIONS_LOCK)}) as is_ours`.execute(own)
    if (rows[0]?.is_ours) return
    if (Date.now() > end)
      throw new StartError(
        'The database could not be brought up to date: a backup of it, or another program that migrates it, has not finished. Nothing was changed. Wait for that or stop it, then start again.',
      )
    if (isFirst) log?.warn('a migration is waiting for a backup, or for another program that migrates')
    await pause(LOOK_FOR_TURN_EVERY_MS)
  }
}

/** A table was in use for longer than is waited for it, or two waited for each other. */
const IN_USE = new Set(['55P03', '40P01'])

/** Tries until nothing is in the way. What is given up was undone whole, or is begun anew. */
const givingWay = async (
  what: string,
  attempt: () => Promise<void>,
  { log, patience }: Migrating,
  most = patience.tries,
): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!IN_USE.has((error as { code?: string }).code ?? '')) throw error
      if (tries >= most)
        throw new StartError(
          `${what} could not be done: other programs kept using its tables. Nothing that the shop uses was changed. Find them in pg_stat_activity, then start again.`,
        )
      log?.warn({ migration: what, tries }, 'a migration is waiting for tables that are in use')
      await pause(patience.givesWayMs)
    }
  }
}

/** A connection of one's own, which is closed afterwards, and with it every lock and limit given back. */
const onOwnConnection = async (
  { pool }: OpenDatabase,
  { patience }: Migrating,
  work: (own: OpenDatabase) => Promise<void>,
): Promise<void> => {
  const limits = { lock_timeout: patience.lockMs }
  const own = openDatabase(pool.options.connectionString ?? '', () => undefined, 1, limits)
  try {
    await work(own)
  } finally {
    await own.pool.end()
  }
}

const setUpQueueGivingWay = (database: OpenDatabase, migrating: Migrating): Promise<void> =>
  onOwnConnection(database, migrating, (own) => givingWay('The queue', () => setUpQueue(own), migrating))

const setFor = async (own: Db, name: 'lock_timeout' | 'client_connection_check_interval', ms: number) => {
  await sql`select set_config(${name}, ${String(ms)}, false)`.execute(own)
}

/** Says that it takes long, because it may wait for a program that can be ended. */
const buildBesideSales = async (own: Db, name: string, migrating: Migrating): Promise<void> => {
  const { log, patience, known } = migrating
  const soon = setTimeout(
    () => log?.warn({ migration: name }, 'an index is being built beside the sales, and waits for who reads'),
    patience.lockMs,
  )
  await setFor(own, 'lock_timeout', patience.indexLockMs)
  try {
    const step = { known, isOutsideTransaction: true }
    await givingWay(name, () => migrateTables(own, name, step), migrating, patience.indexTries)
  } finally {
    clearTimeout(soon)
    // The connection may be lost, which is no news then.
    await setFor(own, 'lock_timeout', patience.lockMs).catch(() => undefined)
  }
}

/**
 * Each in a transaction of its own, so that it holds no more than it needs itself; an empty database is filled in one. By one
 * connection, which also holds the turn: a build that goes on in the server after its program was killed is waited for.
 */
const migrateInTurn = (database: OpenDatabase, migrating: Migrating): Promise<void> =>
  onOwnConnection(database, migrating, ({ db }) =>
    db.connection().execute(async (own) => {
      const { known } = migrating
      await setFor(own, 'client_connection_check_interval', NOTICES_DEATH_MS)
      await takeTurn(own, migrating)
      const names = await known.list()
      const { pending } = await compareSchema(own, names)
      // In an empty database there is nothing to hold, and all at once takes a fifth of the time.
      if (pending.length === names.length)
        await own.transaction().execute((trx) => migrateTables(trx, undefined, { known }))
      else {
        const migrations = await known.read()
        for (const name of pending)
          if (migrations[name]?.isOutsideTransaction) await buildBesideSales(own, name, migrating)
          else await givingWay(name, () => migrateTables(own, name, { known }), migrating)
      }
      await setUpQueueGivingWay(database, migrating)
    }),
  )

/**
 * Brings the database up to date, forward only. Two processes that start at once take turns, and a backup that copies is
 * waited for; but a shop that finds nothing to do starts at once, on the database of a newer version too. Throws a
 * StartError where it never gets what it needs, or must not run on this database.
 */
export const migrate = async (database: OpenDatabase, options: MigrateOptions = {}): Promise<SchemaState> => {
  const { log, known = SHOP_MIGRATIONS } = options
  const migrating = { known, patience: { ...PATIENCE, ...options.patience }, ...(log ? { log } : {}) }
  const state = await compareSchema(database.db, await known.list())
  if (state.pending.length > 0) await migrateInTurn(database, migrating)
  else await setUpQueueGivingWay(database, migrating)
  return state
}
