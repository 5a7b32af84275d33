import type { ListedStatus } from '@hedgerow/contract/console/connections'
import { type ConnectionStatus, connectionStatus } from '@hedgerow/domain/connections'
import { type SqlBool, sql } from 'kysely'
import {
  ARE_KEYS_OVERDUE,
  IS_ACTIVE,
  IS_CONNECTED_TODAY,
  IS_USED_TWICE,
  LAST_CONNECTED_ON,
  WAITS_FOR_DEVICE,
} from '#network/connections/connections.service.ts'
import { IS_SHARED } from '#people/share-links/share-links.ts'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

/** A connection as its operator is told of it: with no key. */
const facts = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('peers', (join) =>
      join.onRef('peers.connection_id', '=', 'connections.id').on('peers.replaced_at', 'is', null),
    )
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    .leftJoin('customers', 'customers.id', 'connections.customer_id')
    .select([
      'connections.id',
      'connections.name',
      'connections.customer_id',
      'customers.email',
      'connections.payment_id',
      'connections.options',
      'connections.filters_on',
      'connections.expires_at',
      'connections.ended_by_hand',
      IS_ACTIVE.as('is_active'),
      sql<Date | null>`case when ${IS_SHARED} then connections.linked_at end`.as('linked_at'),
      sql<Date | null>`case when ${IS_SHARED} then connections.link_expires_at end`.as('link_expires_at'),
      IS_USED_TWICE.as('is_used_twice'),
      'connections.file_address_made_at',
      'connections.file_address_read_at',
      'connections.created_at',
      'connections.keys_every_days',
      sql<string | null>`connections.keys_renew_on::text`.as('keys_renew_on'),
      'connections.keys_renewed_at',
      WAITS_FOR_DEVICE.as('waits_for_device'),
      'peers.node_id',
      'nodes.name as node_name',
      'nodes.ipv4',
      'nodes.ipv6',
      'nodes.removed_at as node_removed_at',
      'peers.position',
      'peers.ipv6_position',
      'peers.removed_at',
      'peers.created_at as peer_created_at',
      'peers.has_own_key',
      IS_CONNECTED_TODAY.as('is_connected_today'),
      ({ selectFrom }) =>
        selectFrom('peers as older')
          .select('older.replaced_at')
          .whereRef('older.connection_id', '=', 'connections.id')
          .where('older.replaced_at', 'is not', null)
          .where('older.removed_at', 'is', null)
          .orderBy('older.replaced_at', 'desc')
          .limit(1)
          .as('old_keys_since'),
    ])

export type ConnectionFacts = Awaited<ReturnType<typeof listConnectionFactsOf>>[number]

export const statusOf = ({ removed_at, is_active, is_connected_today }: ConnectionFacts): ListedStatus =>
  removed_at ? 'cut-off' : connectionStatus(is_active, is_connected_today)

const CONDITIONS: Readonly<Record<ConnectionStatus, ReturnType<typeof sql<SqlBool>>>> = {
  'never-connected': sql`${IS_ACTIVE} and ${LAST_CONNECTED_ON} is null`,
  connected: sql`${IS_ACTIVE} and ${IS_CONNECTED_TODAY}`,
  idle: sql`${IS_ACTIVE} and not ${IS_CONNECTED_TODAY}`,
  expired: sql`not ${IS_ACTIVE}`,
}

const conditionOf = (status: ListedStatus) =>
  status === 'cut-off'
    ? sql<SqlBool>`peers.removed_at is not null`
    : sql<SqlBool>`peers.removed_at is null and ${CONDITIONS[status]}`

type ConnectionFilter = {
  nodeId?: string | undefined
  customerId?: string | undefined
  status?: ListedStatus | undefined
  keysOverdue?: boolean | 'true' | undefined
  withoutAccount?: boolean | 'true' | undefined
}

/** What a search finds, in no order. */
export const selectConnectionFacts = (
  db: Db,
  { nodeId, customerId, status, keysOverdue, withoutAccount }: ConnectionFilter,
) =>
  facts(db)
    .$if(nodeId !== undefined, (query) => query.where('peers.node_id', '=', nodeId as string))
    .$if(customerId !== undefined, (query) =>
      query.where('connections.customer_id', '=', customerId as string),
    )
    .$if(status !== undefined, (query) => query.where(conditionOf(status as ListedStatus)))
    .$if(Boolean(withoutAccount), (query) => query.where('connections.customer_id', 'is', null))
    // As they are counted: of one that no node keeps nothing is renewed.
    .$if(Boolean(keysOverdue), (query) => query.where(ARE_KEYS_OVERDUE).where('peers.removed_at', 'is', null))

/** What lists are sorted by. */
export const connectionFactsOrder = {
  sorts: { createdAt: { by: sql`connections.created_at`, type: 'timestamptz' } },
  id: { by: sql`connections.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

/** An account's, the newest first. */
export const listConnectionFactsOf = (db: Db, customerId: string, limit: number) =>
  selectConnectionFacts(db, { customerId })
    .orderBy('connections.created_at', 'desc')
    .orderBy('connections.ordinal')
    .orderBy('connections.id')
    .limit(limit)
    .execute()

export const findConnectionFacts = (db: Db, id: string) =>
  facts(db).where('connections.id', '=', id).executeTakeFirst()

export const listRenewals = (db: Db, connectionId: string) =>
  db
    .selectFrom('renewals')
    .select(['payment_id', 'days', 'old_end', 'new_end', 'created_at'])
    .where('connection_id', '=', connectionId)
    .orderBy('created_at')
    .execute()

/** What the shop added to it, and who. */
export const listGiven = (db: Db, connectionId: string) =>
  db
    .selectFrom('goodwill_days')
    .leftJoin('operators', 'operators.id', 'goodwill_days.operator_id')
    .select(['days', 'reason', 'new_end', 'goodwill_days.created_at', 'operators.name'])
    .where('connection_id', '=', connectionId)
    .orderBy('goodwill_days.created_at')
    .execute()

/** Payments that bought days of it and were cancelled. */
export const listCancelledOf = async (db: Db, connectionId: string) => {
  const { rows } = await sql<{ payment_id: string; cancelled_at: Date }>`
    select payments.id as payment_id, cancelled_at from (
      select payment_id from connections where id = ${connectionId}
      union select payment_id from renewals where connection_id = ${connectionId}
    ) as bought join payments on payments.id = payment_id
    where cancelled_at is not null order by cancelled_at`.execute(db)
  return rows
}
