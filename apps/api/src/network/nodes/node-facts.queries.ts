import type { UpgradeState } from '@hedgerow/domain/node-upgrades'
import { sql } from 'kysely'
import { IS_IN_CONTACT, IS_LIVE, IS_OBFUSCATED, IS_UP } from '#network/nodes/capacity.queries.ts'
import type { Db } from '#platform/database/client.ts'

/** Of its agent. */
type LatestUpgrade = {
  /** Null: back to the one that it ran before. */
  version: string | null
  from: string | null
  state: UpgradeState
  reason: string | null
  at: string
}

/** The nodes that are there, with what their operator sees. */
const facts = (db: Db) =>
  db
    .selectFrom('nodes')
    .leftJoin('layers', 'layers.id', 'nodes.layer_id')
    .select([
      'nodes.id',
      'nodes.name',
      'nodes.endpoint',
      'nodes.old_ports',
      'nodes.second_port',
      'nodes.second_port_answers',
      'nodes.mtu',
      IS_OBFUSCATED.as('is_obfuscated'),
      'nodes.exit_addresses',
      'nodes.ipv4',
      'nodes.ipv6',
      'nodes.layer_id',
      'nodes.time_zone',
      'layers.name as layer_name',
      'nodes.is_open',
      'nodes.is_demonstration',
      sql<boolean>`nodes.agent_hash is not null`.as('has_agent'),
      IS_UP.as('is_up'),
      IS_IN_CONTACT.as('is_in_contact'),
      'nodes.faults',
      'nodes.faults_since',
      'nodes.unreached',
      'nodes.is_surely_unreached',
      'nodes.shop_key',
      'nodes.answered_addresses',
      'nodes.seen_at',
      'nodes.list_names',
      'nodes.list_times',
      // Asked only where a list is empty: those are few.
      sql<
        number | null
      >`case when exists (select from jsonb_each_text(nodes.list_names) where value = '0') then (
        select bit_or(options) from peers join connections on connections.id = peers.connection_id
        where peers.node_id = nodes.id and ${IS_LIVE}) end`.as('options_beside_empty_list'),
      sql<number | null>`extract(epoch from now() - nodes.seen_at)::float8`.as('seen_seconds'),
      'nodes.enrolment_expires_at',
      'nodes.load',
      'nodes.revision',
      'nodes.applied_revision',
      'nodes.low_notified_at',
      'nodes.created_at',
      'nodes.agent_version',
      'nodes.agent_arch',
      'nodes.takes_upgrades',
      sql<LatestUpgrade | null>`(
        select json_build_object('version', version, 'from', from_version, 'state', state, 'reason', reason,
          'at', coalesce(ended_at, heard_at))
        from node_upgrades where node_id = nodes.id order by node_upgrades.created_at desc limit 1)`.as(
        'upgrade',
      ),
      ({ selectFrom, fn }) =>
        selectFrom('free_addresses')
          .select(fn.countAll<string>().as('count'))
          .whereRef('node_id', '=', 'nodes.id')
          .where('available_at', '>', sql<Date>`now()`)
          .as('resting'),
    ])
    .where('nodes.removed_at', 'is', null)

/** With about how many peers each has, which is counted every few seconds. */
export const listNodes = (db: Db) => facts(db).orderBy('nodes.name').execute()

export type ListedNode = Awaited<ReturnType<typeof listNodes>>[number]

/** The same, counted now. */
const counted = (db: Db) =>
  facts(db).select([
    ({ selectFrom, fn }) =>
      selectFrom('peers')
        .select(fn.countAll<string>().as('count'))
        .whereRef('node_id', '=', 'nodes.id')
        .where('peers.removed_at', 'is', null)
        .as('peers'),
    ({ selectFrom, fn }) =>
      selectFrom('peers')
        .innerJoin('connections', 'connections.id', 'peers.connection_id')
        .select(fn.countAll<string>().as('count'))
        .whereRef('node_id', '=', 'nodes.id')
        .where(IS_LIVE)
        .as('connections'),
    ({ selectFrom, fn }) =>
      selectFrom('peers')
        .select(fn.countAll<string>().as('count'))
        .whereRef('node_id', '=', 'nodes.id')
        .where('peers.revision', 'is', null)
        .as('unnumbered'),
  ])

export type NodeFacts = Awaited<ReturnType<typeof listNodeFacts>>[number]

export const listNodeFacts = (db: Db) => counted(db).orderBy('nodes.name').execute()

export const findNodeFacts = (db: Db, name: string) =>
  counted(db).where('nodes.name', '=', name).executeTakeFirst()
