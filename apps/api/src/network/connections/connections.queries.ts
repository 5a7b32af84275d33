import { ENDED_KEPT_DAYS, USED_TWICE_KEPT_S } from '@hedgerow/domain/nodes'
import { configFileNames } from '@hedgerow/wireguard/config-text'
import { type NotNull, sql } from 'kysely'
import { ORDER_OF_PAYMENT } from '#network/connections/by-key.ts'
import { CANCELLABLE } from '#network/connections/cancellable.ts'
import { LAST_BOUGHT } from '#network/connections/last-bought.ts'
import { WAITS_FOR_DEVICE } from '#network/nodes/key-renewal.queries.ts'
import { lockedPeers } from '#network/nodes/peers.ts'
import { IS_SHARED } from '#people/share-links/share-links.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { readPage, type SortKey } from '#platform/http/keyset.ts'
import type { Page } from '#platform/http/list-page.ts'
import { Problem } from '#platform/http/problems.ts'

/** By the clock that all ends are written by (spec §3): processes may have others. */
export const IS_ACTIVE = sql<boolean>`(connections.expires_at is null or connections.expires_at >= now())`

/** Two devices seem to use it at once, and cut each other off. */
export const IS_USED_TWICE = sql<boolean>`exists (select from peers_used_twice where peer_id = peers.id
  and seen_at > now() - make_interval(secs => ${sql.lit(USED_TWICE_KEPT_S)}))`

/** The last day on which it was: its device may have keys that were renewed since. */
export const LAST_CONNECTED_ON = sql`greatest(peers.connected_on, (select max(older.connected_on) from peers as older
  where older.connection_id = connections.id and older.is_kept and older.removed_at is null))`
/** Null: it never was. */
export const IS_CONNECTED_TODAY = sql<boolean | null>`${LAST_CONNECTED_ON} = (now() at time zone 'utc')::date`

/** The name of the location that was chosen for it, while it is on the other that it was made on. */
const INSTEAD_OF = sql<string | null>`(
  select chosen.name from payments ${ORDER_OF_PAYMENT}
  join nodes as chosen on chosen.id = orders.location_id
  where payments.id = connections.payment_id and orders.location_is_chosen
    and orders.delivered_location_id = peers.node_id and chosen.id <> peers.node_id
)`.as('instead_of')

const GIVEN_DAYS = sql<{ days: number; at: string }[] | null>`(
  select json_agg(json_build_object('days', days, 'at', created_at) order by created_at desc)
  from goodwill_days where connection_id = connections.id)`.as('given_days')

/** With the peer that it has now, and its node. */
const withPeer = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('peers', (join) =>
      join.onRef('peers.connection_id', '=', 'connections.id').on('peers.replaced_at', 'is', null),
    )
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    // By name: planning it anew (platform/database/prepared.ts) would cost more than reading it.
    .select([
      'connections.id',
      'connections.customer_id',
      'connections.payment_id',
      'connections.imported_end',
      'connections.ordinal',
      'connections.name',
      'connections.options',
      'connections.filters_on',
      'connections.file_form',
      'connections.expires_at',
      'connections.ended_by_hand',
      'connections.reminded_days',
      'connections.linked_at',
      'connections.link_expires_at',
      'connections.link_mailed_at',
      'connections.file_address_made_at',
      'connections.file_address_mailed_at',
      'connections.file_address_read_at',
      'connections.file_address_reads',
      'connections.created_at',
      IS_ACTIVE.as('is_active'),
      IS_SHARED.as('is_shared'),
      CANCELLABLE,
      LAST_BOUGHT,
      GIVEN_DAYS,
      INSTEAD_OF,
      IS_USED_TWICE.as('is_used_twice'),
      sql<Date>`now()`.as('now'),
      'peers.id as peer_id',
      'peers.node_id',
      'peers.position',
      'peers.ipv6_position',
      'peers.public_key',
      'peers.private_key_encrypted',
      'peers.has_own_key',
      'peers.preshared_key_encrypted',
      IS_CONNECTED_TODAY.as('is_connected_today'),
      'connections.keys_every_days',
      sql<string | null>`connections.keys_renew_on::text`.as('keys_renew_on'),
      sql<string | null>`connections.keys_told_on::text`.as('keys_told_on'),
      'connections.keys_renewed_at',
      'connections.keys_mailed_at',
      'connections.keys_reminded_at',
      WAITS_FOR_DEVICE.as('waits_for_device'),
      'peers.bytes_received',
      'peers.bytes_sent',
      'peers.removed_at',
      'peers.created_at as peer_created_at',
      'nodes.name as node_name',
      'nodes.ipv4',
      'nodes.ipv6',
      'nodes.endpoint',
      'nodes.obfuscation',
      sql<number | null>`case when nodes.second_port_answers then nodes.second_port end`.as('second_port'),
      'nodes.public_key as node_public_key',
    ])
    // Only a node that has enrolled gets peers.
    .$narrowType<{ node_public_key: NotNull }>()

/** A connection with what its configuration needs. */
export type ConnectionWithPeer = Awaited<ReturnType<typeof listConnectionRows>>[number]

/**
 * The nearest end comes first, past or to come, and last what is over for good; what is due is the page's to say
 * (`isSoonOver`). Of those that are alike the newest purchase, in the order of its numbers. `at`: seconds of Unix time.
 */
const byNearestEnd = (at: number): SortKey => {
  const end = sql`extract(epoch from connections.expires_at)`
  const isOver = sql`(peers.removed_at is not null and coalesce(${end} < ${at}::numeric, false))::int`
  return {
    by: sql`array[${isOver}, coalesce(abs(${end} - ${at}::numeric), 'Infinity'),
      -extract(epoch from connections.created_at), connections.ordinal]::numeric[]`,
    type: 'numeric[]',
  }
}

/** The moment of the first page goes before the place of the following ones: by another they would be in another order. */
const CURSOR = /^(?<at>\d{1,10})\.(?<place>.+)$/

/** By this process's clock, since nothing but the order hangs on it. Throws 'cursor-invalid'. */
const momentOf = (after: string | undefined): { at: number; place?: string } => {
  if (after === undefined) return { at: Math.floor(Date.now() / 1000) }
  const { at, place } = CURSOR.exec(after)?.groups ?? {}
  if (!at || !place) throw new Problem('cursor-invalid')
  return { at: Number(at), place }
}

/** A page of a customer's connections, the nearest end first. Throws 'cursor-invalid'. */
export const readConnections = async (
  db: Db,
  customerId: string,
  rows: number,
  after?: string,
): Promise<Page<ConnectionWithPeer>> => {
  const { at, place } = momentOf(after)
  const page = await readPage(
    withPeer(db).where('connections.customer_id', '=', customerId),
    { key: byNearestEnd(at), isDescending: false, id: { by: sql`connections.id`, type: 'uuid' } },
    rows,
    place,
  )
  return { rows: page.rows, next: page.next && `${at}.${page.next}` }
}

/** Newest purchase first, in the order of their numbers within it. */
export const listConnectionRows = (db: Db, customerId: string) =>
  withPeer(db)
    .where('connections.customer_id', '=', customerId)
    .orderBy('connections.created_at', 'desc')
    .orderBy('connections.ordinal')
    .execute()

export const findConnectionRow = (db: Db, id: string) =>
  withPeer(db).where('connections.id', '=', id).executeTakeFirst()

export type ConnectionOfLink = NonNullable<Awaited<ReturnType<typeof findConnectionOfLink>>>

/** By its share link, while that works. */
export const findConnectionOfLink = (db: Db, linkHash: Buffer) =>
  withPeer(db)
    .where('connections.link_hash', '=', linkHash)
    .where(IS_SHARED)
    .$narrowType<{ link_expires_at: NotNull }>()
    .executeTakeFirst()

/** By the address of its file, as long as the connection lasts; how often it was read is counted. */
export const readConnectionOfAddress = async (db: Db, hash: Buffer) => {
  const { rows } = await sql<{ id: string }>`
    update connections set file_address_reads = file_address_reads + 1, file_address_read_at = now()
    where file_address_hash = ${hash} and ${IS_ACTIVE} returning id`.execute(db)
  return rows[0] && findConnectionRow(db, rows[0].id)
}

/** What the files of a customer's connections are called, by connection. */
export const readFileNames = async (db: Db, customerId: string): Promise<ReadonlyMap<string, string>> =>
  configFileNames(
    await db
      .selectFrom('connections')
      .select(['id', 'name'])
      .where('customer_id', '=', customerId)
      .orderBy('id')
      .execute(),
  )

/** Whether keys that were replaced work still. */
export const hasOldKeys = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('peers')
    .select('id')
    .where('connection_id', '=', id)
    .where('replaced_at', 'is not', null)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether its customer made its key, and it came along from another node. */
export const hasMovedWithKey = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select from peers join peers as older using (connection_id, public_key)
    where peers.connection_id = ${id} and peers.has_own_key and peers.replaced_at is null and older.id <> peers.id
    limit 1`.execute(db)
  return rows.length > 0
}

export type PeerOfConnection = Awaited<ReturnType<typeof listPeersOf>>[number]

/** Every peer that a customer's connections have and had, as far as they are remembered. */
export const listPeersOf = (db: Db, customerId: string) =>
  db
    .selectFrom('peers')
    .innerJoin('connections', 'connections.id', 'peers.connection_id')
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    .select([
      'peers.id',
      'peers.connection_id',
      'peers.position',
      'peers.ipv6_position',
      'peers.public_key',
      'peers.has_own_key',
      'peers.bytes_received',
      'peers.bytes_sent',
      'peers.created_at',
      'peers.replaced_at',
      'peers.is_kept',
      'peers.removed_at',
      sql<string | null>`peers.connected_on::text`.as('connected_on'),
      sql<string | null>`peers.first_connected_on::text`.as('first_connected_on'),
      'nodes.name as node_name',
      'nodes.ipv4',
      'nodes.ipv6',
    ])
    .where('connections.customer_id', '=', customerId)
    .orderBy('peers.created_at')
    .execute()

export const listRenewalsOf = (db: Db, customerId: string) =>
  db
    .selectFrom('renewals')
    .innerJoin('connections', 'connections.id', 'renewals.connection_id')
    .selectAll('renewals')
    .where('connections.customer_id', '=', customerId)
    .orderBy('renewals.created_at')
    .execute()

export const listGivenDaysOf = (db: Db, customerId: string) =>
  db
    .selectFrom('goodwill_days')
    .innerJoin('connections', 'connections.id', 'goodwill_days.connection_id')
    .selectAll('goodwill_days')
    .where('connections.customer_id', '=', customerId)
    .orderBy('goodwill_days.created_at')
    .execute()

/** Returns what was deleted. */
export const deleteConnectionsOf = async (trx: Trx, customerId: string): Promise<string[]> => {
  // In the order in which everyone locks several.
  const { rows } = await sql<{ id: string }>`
    with held as (select id from connections where customer_id = ${customerId} order by id for update)
    delete from connections where id in (select id from held) returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Those that were not extended. Returns what was deleted. */
export const deleteLongEnded = async (trx: Trx, most: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    delete from connections where id in (
      select id from connections where expires_at < now() - make_interval(days => ${ENDED_KEPT_DAYS})
      order by expires_at limit ${most} for update skip locked
    ) returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * In one order for everyone, and their peers after them. Every change that a connection's peers hear of, or its
 * peers, locks it first.
 */
export const lockConnections = async (trx: Trx, ids: readonly string[]) => {
  const rows = await trx
    .selectFrom('connections')
    .select(['id', 'expires_at', 'options', 'ended_by_hand'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  await lockedPeers(sql`connection_id = any(${ids}::uuid[])`).execute(trx)
  return rows
}
