import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { PoolClient } from 'pg'
import { type Db, type OpenDatabase, openDatabase, withTimeouts } from '#database/client.ts'
import { StartError } from '#start-error.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

const readMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  const modules = files.map(
    async (file) => [file.slice(0, -3), await import(new URL(file, FOLDER).href)] as const,
  )
  return Object.fromEntries(await Promise.all(modules))
}

export const listKnownMigrations = async (): Promise<string[]> => Object.keys(await readMigrations()).sort()

type ReadMigrations = typeof readMigrations

/** Our own tables, up to one migration or to the last. Given a transaction, all of it is done in that. */
export const migrateTables = async (
  db: Db,
  last?: string,
  getMigrations: ReadMigrations = readMigrations,
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations } })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}

/** Held while the shape of the database is changed; shared by a backup, for as long as it copies. */
export const MIGRATIONS_LOCK = "hashtext('hedgerow migrations')"

/** The queue's own tables. It makes them in transactions of its own. */
export const setUpQueue = async ({ pool }: Pick<OpenDatabase, 'pool'>): Promise<void> => {
  // A quarter of what the operator's tool would load, for the one command that needs it.
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: pool })
}

/** How long is waited, and for what. */
export type Patience = {
  /** For a table that somebody uses: so long, because everybody who comes after waits behind. */
  lockMs: number
  /** Then it gives way for so long, and tries again, so many times. */
  givesWayMs: number
  tries: number
  /** For its turn: a backup copies, or another program is at the same. It stands in nobody's way meanwhile. */
  turnMs: number
}

const PATIENCE: Patience = { lockMs: 2_000, givesWayMs: 5_000, tries: 60, turnMs: 60 * 60_000 }
const LOOK_FOR_TURN_EVERY_MS = 250

type MigrateOptions = {
  log?: Pick<FastifyBaseLogger, 'warn'>
  patience?: Partial<Patience>
  getMigrations?: ReadMigrations
}

type Migrating = Required<Pick<MigrateOptions, 'getMigrations'>> &
  Pick<MigrateOptions, 'log'> & { patience: Patience }

/** Not by a query that waits: one that waited for an hour would keep the database from tidying up. */
const takeTurn = async (turn: PoolClient, { log, patience }: Migrating): Promise<void> => {
  const end = Date.now() + patience.turnMs
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await turn.query(`select pg_try_advisory_lock(${MIGRATIONS_LOCK}) as is_ours`)
    if (rows[0].is_ours) return
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

/** Tries until nobody is in the way. What is given up was undone whole. */
const givingWay = async (
  what: string,
  attempt: () => Promise<void>,
  { log, patience }: Migrating,
): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!IN_USE.has((error as { code?: string }).code ?? '')) throw error
      if (tries >= patience.tries)
        throw new StartError(
          `${what} could not be done: other programs kept using its tables. Nothing of it was changed. Find them in pg_stat_activity, then start again.`,
        )
      log?.warn({ migration: what, tries }, 'a migration is waiting for tables that are in use')
      await pause(patience.givesWayMs)
    }
  }
}

const hasMigrated = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  return rows[0]?.is_there ?? false
}

/** Those that the database has seen, in their order. */
export const listMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** What the database lacks, and whether it has seen what this version does not know. */
const compareWith = async (db: Db, getMigrations: ReadMigrations) => {
  const seen = (await hasMigrated(db)) ? await listMigrations(db) : []
  const known = Object.keys(await getMigrations()).sort()
  return {
    pending: known.filter((name) => !seen.includes(name)),
    isNewer: seen.some((name) => !known.includes(name)),
  }
}

const setUpQueueGivingWay = async ({ pool }: OpenDatabase, migrating: Migrating): Promise<void> => {
  const limits = { lock_timeout: migrating.patience.lockMs }
  const own = openDatabase(pool.options.connectionString ?? '', () => undefined, 1, limits)
  try {
    await givingWay('The queue', () => setUpQueue(own), migrating)
  } finally {
    await own.pool.end()
  }
}

/** Each in a transaction of its own, so that it holds no more than it needs itself. */
const migrateInTurn = async (database: OpenDatabase, migrating: Migrating): Promise<void> => {
  const { patience, getMigrations } = migrating
  const turn = await database.pool.connect()
  try {
    await takeTurn(turn, migrating)
    await withTimeouts(database.db, { lock_timeout: patience.lockMs, statement_timeout: 0 }, async (own) => {
      for (const name of (await compareWith(own, getMigrations)).pending)
        await givingWay(name, () => migrateTables(own, name, getMigrations), migrating)
    })
    await setUpQueueGivingWay(database, migrating)
  } finally {
    // Closing the connection gives the turn back, whatever happened on it.
    turn.release(true)
  }
}

/**
 * Brings the database up to date, forward only. Two processes that start at once take turns, and a backup that copies is
 * waited for; but a shop that finds nothing to do starts at once. Throws a StartError where it never gets what it needs.
 */
export const migrate = async (database: OpenDatabase, options: MigrateOptions = {}): Promise<void> => {
  const { log, getMigrations = readMigrations } = options
  const migrating = { getMigrations, patience: { ...PATIENCE, ...options.patience }, ...(log ? { log } : {}) }
  const { pending, isNewer } = await compareWith(database.db, getMigrations)
  // It says which one is not known here.
  if (isNewer) return migrateTables(database.db, undefined, getMigrations)
  if (pending.length > 0) return migrateInTurn(database, migrating)
  await setUpQueueGivingWay(database, migrating)
}
