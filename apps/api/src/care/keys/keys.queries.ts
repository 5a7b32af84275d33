import { sql } from 'kysely'
import { SEALED_PLACES, type SealedKind, type SealedPlace } from '#care/keys/sealed-places.ts'
import type { Db, Trx } from '#platform/database/client.ts'

export const listSealingKeys = (db: Db) =>
  db.selectFrom('sealing_keys').selectAll().orderBy('first_used_at').orderBy('id').execute()

/** The database of an old release has no such table. */
export const saysSealingKeys = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('sealing_keys') is not null as is_there`.execute(db)
  return rows[0]?.is_there === true
}

/** One who registers a key at a time. */
export const lockSealingKeys = async (trx: Trx): Promise<void> => {
  await sql`lock table sealing_keys in share row exclusive mode`.execute(trx)
}

export const insertSealingKey = async (trx: Trx, id: string, hash_key_encrypted: Buffer): Promise<void> => {
  await trx.insertInto('sealing_keys').values({ id, hash_key_encrypted }).execute()
}

export const deleteSealingKeys = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('sealing_keys').where('id', '=', sql<string>`any(${ids}::text[])`).execute()
}

type Backend = { pid: number; start: Date }

const IS_LIVE = sql`alive.pid = backend_pid
  and date_trunc('milliseconds', alive.backend_start) = date_trunc('milliseconds', key_holders.backend_start)`

/** Says which keys a process has; what is left of processes that have died goes. */
export const insertHolder = async (
  db: Db,
  backend: Backend,
  { seals, opens }: { seals: string; opens: readonly string[] },
): Promise<void> => {
  await sql`delete from key_holders where not exists (select from pg_stat_activity as alive where ${IS_LIVE})`.execute(
    db,
  )
  await db
    .insertInto('key_holders')
    .values({ backend_pid: backend.pid, backend_start: backend.start, seals, opens: [...opens] })
    .onConflict((conflict) =>
      conflict.columns(['backend_pid', 'backend_start']).doUpdateSet({ seals, opens: [...opens] }),
    )
    .execute()
}

/** The shop's processes that live now; a release that tells no keys has null. */
export const listHolders = async (db: Db) => {
  const { rows } = await sql<{ pid: number; seals: string | null; opens: string[] | null }>`
    select alive.pid, seals, opens from pg_stat_activity as alive left join key_holders on ${IS_LIVE}
    where alive.datname = current_database() and alive.application_name = 'hedgerow listener'`.execute(db)
  return rows
}

export type SealedRow = { id: string; sealed: Buffer }

/** The next sealed values of a column, by their rows' ids. */
export const listSealed = async (
  db: Db,
  { table, column, id }: SealedPlace,
  after: string | undefined,
  limit: number,
): Promise<SealedRow[]> => {
  const [key, value] = [sql.ref(id), sql.ref(column)]
  const { rows } = await sql<SealedRow>`
    select ${key} as id, ${value} as sealed from ${sql.table(table)}
    where ${value} is not null and ${after === undefined ? sql`true` : sql`${key} > ${after}`}
    order by ${key} limit ${limit}`.execute(db)
  return rows
}

/**
 * Puts other values in the place of those that were read, where they are there still. A locked row is left
 * alone, so that neither waits for the other. Returns how many were changed.
 */
export const swapSealed = async (
  db: Db,
  { table, column, id }: SealedPlace,
  swaps: readonly (SealedRow & { fresh: Buffer })[],
): Promise<number> => {
  const [name, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)]
  const { numAffectedRows = 0n } = await sql`
    with swap as (
      select * from unnest(
        ${swaps.map((one) => one.id)}::uuid[], ${swaps.map((one) => one.sealed)}::bytea[],
        ${swaps.map(({ fresh }) => fresh)}::bytea[]) as swap(id, sealed, fresh)
    ),
    held as (
      select ${key} as id from ${name} where ${key} in (select id from swap)
      order by ${key} for no key update skip locked
    )
    update ${name} set ${value} = swap.fresh from swap join held on held.id = swap.id
    where ${name}.${key} = swap.id and ${name}.${value} = swap.sealed`.execute(db)
  return Number(numAffectedRows)
}

/** It was to be opened. */
export const insertUnreadable = async (
  db: Db,
  rows: readonly { kind: SealedKind; id: string; hash: Buffer }[],
): Promise<void> => {
  if (rows.length === 0) return
  await db
    .insertInto('unreadable_secrets')
    .values(rows.map(({ kind, id, hash }) => ({ sealed_hash: hash, place: kind, row_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a row holds that very value still, and it is still needed. */
const isStillThere = ({ kind, table, column, id, isWanted }: SealedPlace) => sql`
  (place = ${kind} and exists (select from ${sql.table(table)} where ${sql.ref(`${table}.${id}`)} = row_id
    and sha256(${sql.ref(`${table}.${column}`)}) = sealed_hash and ${isWanted}))`

const IS_STILL_THERE = sql.join(SEALED_PLACES.map(isStillThere), sql` or `)

export type UnreadableRow = { kind: SealedKind; id: string }

/** What could not be opened and has not been replaced since, each row once. */
export const listUnreadable = async (db: Db, limit?: number): Promise<UnreadableRow[]> => {
  const { rows } = await sql<UnreadableRow>`
    select place as kind, row_id as id from unreadable_secrets where ${IS_STILL_THERE}
    group by place, row_id order by place, row_id limit ${limit ?? null}`.execute(db)
  return rows
}

/** How many rows, and for how long the first of them is known. */
export const measureUnreadable = async (db: Db): Promise<{ count: number; oldest_seconds: number }> => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(distinct (place, row_id))::float8 as count,
      coalesce(extract(epoch from now() - min(seen_at)), 0)::float8 as oldest_seconds
    from unreadable_secrets where ${IS_STILL_THERE}`.execute(db)
  return rows[0] ?? { count: 0, oldest_seconds: 0 }
}

export const forgetReplaced = async (db: Db): Promise<void> => {
  await sql`delete from unreadable_secrets where not (${IS_STILL_THERE})`.execute(db)
}

/** Whose connections these peers are. */
export const connectionsOfPeers = async (db: Db, peerIds: readonly string[]) =>
  db
    .selectFrom('peers')
    .select(['id', 'connection_id'])
    .where('id', '=', sql<string>`any(${peerIds}::uuid[])`)
    .execute()
