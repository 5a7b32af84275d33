import { SHARE_LINK_DAYS } from '@hedgerow/domain/connections'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { updateDue } from '#platform/database/slices.ts'

/** A connection has one link at most, and one address of its file, in its row. Below every slice that has a reason to end them. */
export const IS_SHARED = sql<boolean>`coalesce(connections.link_expires_at > now(), false)`

export type LinkTimes = { linked_at: Date; link_expires_at: Date }

/** An older link ends with it. Undefined when the connection has ended or is gone. */
export const setLink = async (trx: Trx, id: string, linkHash: Buffer): Promise<LinkTimes | undefined> => {
  const { rows } = await sql<LinkTimes>`
    update connections set link_hash = ${linkHash}, linked_at = now(),
      link_expires_at = now() + make_interval(days => ${sql.lit(SHARE_LINK_DAYS)})
    where id = ${id} and (expires_at is null or expires_at >= now())
    returning linked_at, link_expires_at`.execute(trx)
  return rows[0]
}

/** Makes the address of a connection's file; an older one ends with it. Undefined when the connection has ended or is gone. */
export const setFileAddress = async (trx: Trx, id: string, hash: Buffer): Promise<Date | undefined> => {
  const { rows } = await sql<{ made_at: Date }>`
    update connections set file_address_hash = ${hash}, file_address_made_at = now(), file_address_read_at = null,
      file_address_reads = 0
    where id = ${id} and (expires_at is null or expires_at >= now())
    returning file_address_made_at as made_at`.execute(trx)
  return rows[0]?.made_at
}

const NO_LINK = sql`link_hash = null, linked_at = null, link_expires_at = null`
const NO_FILE_ADDRESS = sql`file_address_hash = null, file_address_made_at = null, file_address_read_at = null,
  file_address_reads = 0`

export const endLink = async (db: Db, id: string): Promise<void> => {
  await sql`update connections set ${NO_LINK} where id = ${id}`.execute(db)
}

export const endFileAddress = async (db: Db, id: string): Promise<void> => {
  await sql`update connections set ${NO_FILE_ADDRESS} where id = ${id}`.execute(db)
}

/** Locks in the order in which everyone locks several connections. */
const endFound = async (db: Db, found: RawBuilder<unknown>): Promise<void> => {
  await sql`
    with held as (select id from connections
      where (link_hash is not null or file_address_hash is not null) and ${found} order by id for update)
    update connections set ${NO_LINK}, ${NO_FILE_ADDRESS} where id in (select id from held)`.execute(db)
}

/** And the addresses of their files. */
export const endLinks = (db: Db, connectionIds: readonly string[]) =>
  endFound(db, sql`id = any(${connectionIds}::uuid[])`)

/**
 * Every link and address of an account, in the transaction that ends its sessions and after them: who makes a link holds the session,
 * so none can be made meanwhile by one that ends.
 */
export const endLinksOf = (trx: Trx, customerId: string) => endFound(trx, sql`customer_id = ${customerId}`)

/** Those whose time is over. */
export const endOverdueLinks = (db: Db) =>
  updateDue(db, 'connections', NO_LINK, sql`link_hash is not null and link_expires_at <= now()`)

/** An account gets one mail in so long at most, about all links that were made meanwhile. */
const MAIL_PAUSE_S = 600

/** In how many seconds an account may be mailed of links again. */
export const secondsToNextMail = async (db: Db, customerId: string): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(greatest(0, ceil(extract(epoch from
      greatest(max(link_mailed_at), max(file_address_mailed_at)) + make_interval(secs => ${sql.lit(MAIL_PAUSE_S)}) - now()))), 0)::integer as seconds
    from connections where customer_id = ${customerId}`.execute(db)
  return rows[0]?.seconds ?? 0
}

/** `endsAt` null: the address of a file, which ends when it is withdrawn. */
export type UnmailedLink = { name: string; hash: Buffer; madeAt: Date; endsAt: Date | null }

/** Links and addresses of an account that it was not mailed of, the oldest first. */
export const listUnmailedLinks = async (db: Db, customerId: string) => {
  const { rows } = await sql<UnmailedLink>`
    select name, link_hash as hash, linked_at as "madeAt", link_expires_at as "endsAt" from connections
    where customer_id = ${customerId} and ${IS_SHARED} and (link_mailed_at is null or link_mailed_at < linked_at)
    union all
    select name, file_address_hash, file_address_made_at, null from connections
    where customer_id = ${customerId} and file_address_hash is not null
      and (file_address_mailed_at is null or file_address_mailed_at < file_address_made_at)
    order by "madeAt", hash`.execute(db)
  return rows
}

/** By their hashes: what took the place of one of them waits for the next mail. */
export const markMailed = async (db: Db, hashes: readonly Buffer[]): Promise<void> => {
  await sql`update connections set link_mailed_at = now() where link_hash = any(${hashes}::bytea[])`.execute(
    db,
  )
  await sql`
    update connections set file_address_mailed_at = now()
    where file_address_hash = any(${hashes}::bytea[])`.execute(db)
}
