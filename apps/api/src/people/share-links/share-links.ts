import { SHARE_LINK_DAYS } from '@hedgerow/domain/connections'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { updateDue } from '#platform/database/slices.ts'

/** A connection has one link at most, which stands in its row. Below every slice that has a reason to end links. */
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

const NO_LINK = sql`link_hash = null, linked_at = null, link_expires_at = null`

/** Locks in the order in which everyone locks several connections. */
const endFound = async (db: Db, found: RawBuilder<unknown>): Promise<void> => {
  await sql`
    with held as (select id from connections where link_hash is not null and ${found} order by id for update)
    update connections set ${NO_LINK} where id in (select id from held)`.execute(db)
}

export const endLinks = (db: Db, connectionIds: readonly string[]) =>
  endFound(db, sql`id = any(${connectionIds}::uuid[])`)

/**
 * Every link of an account, in the transaction that ends its sessions and after them: who makes a link holds the session,
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
      max(link_mailed_at) + make_interval(secs => ${sql.lit(MAIL_PAUSE_S)}) - now()))), 0)::integer as seconds
    from connections where customer_id = ${customerId}`.execute(db)
  return rows[0]?.seconds ?? 0
}

/** Links of an account that it was not mailed of, the oldest first. */
export const listUnmailedLinks = async (db: Db, customerId: string) => {
  const { rows } = await sql<LinkTimes & { name: string; link_hash: Buffer }>`
    select name, link_hash, linked_at, link_expires_at from connections
    where customer_id = ${customerId} and ${IS_SHARED} and (link_mailed_at is null or link_mailed_at < linked_at)
    order by linked_at, id`.execute(db)
  return rows
}

/** By their hashes: a link that took the place of one of them waits for the next mail. */
export const markMailed = async (db: Db, linkHashes: readonly Buffer[]): Promise<void> => {
  await sql`update connections set link_mailed_at = now() where link_hash = any(${linkHashes}::bytea[])`.execute(
    db,
  )
}
