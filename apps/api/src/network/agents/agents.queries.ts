import { readByList } from '@hedgerow/domain/filters'
import { REPLACED_LIVES_HOURS } from '@hedgerow/domain/nodes'
import { sql } from 'kysely'
import { lockedPeers } from '#network/nodes/peers.ts'
import type { Db, Trx } from '#platform/database/client.ts'

const agentNode = (db: Db) =>
  db
    .selectFrom('nodes')
    .select([
      'id',
      'name',
      'endpoint',
      'old_ports',
      'second_port',
      'mtu',
      'obfuscation',
      'ipv4',
      'ipv6',
      'public_key',
      'agent_hash',
    ])
    .where('removed_at', 'is', null)

export type AgentNodeRow = NonNullable<Awaited<ReturnType<typeof findNodeOfAgent>>>

export const findNodeOfAgent = (db: Db, agentHash: Buffer | null) =>
  agentNode(db).where('agent_hash', '=', agentHash).executeTakeFirst()

const NOTED_EVERY_S = 15

type Said = {
  since: number
  version?: string | undefined
  arch?: string | undefined
  upgrades?: 'on' | 'off' | undefined
  /** Names in each of its lists. */
  lists?: string | undefined
  /** When each that it fetches was last as its source has it. */
  listTimes?: string | undefined
  /** What does not work, one sentence a line. */
  faults?: string | undefined
  /** Of the shop's own peer there. */
  shopKey?: string | undefined
  customers?: 'yes' | 'no' | undefined
}

/**
 * Notes that the agent lives, how far it has come, what it is, and from which network it asks: the latest of each family.
 */
export const noteAgent = async (db: Db, nodeId: string, said: Said, network: string): Promise<void> => {
  const { since, version = null, arch = null, upgrades, lists, listTimes, faults = null } = said
  const { shopKey = null, customers } = said
  const takes = upgrades ? upgrades === 'on' : null
  const names = lists === undefined ? null : JSON.stringify(readByList(lists))
  const times = listTimes === undefined ? null : JSON.stringify(readByList(listTimes))
  // One that was started a moment ago has not looked yet; another version may never say it.
  const held = sql`case when ${faults}::text is null and agent_version is not distinct from ${version}::text
    then nodes.faults else ${faults}::text end`
  await sql`
    update nodes set seen_at = now(), applied_revision = ${since}::bigint,
      agent_version = ${version}, agent_arch = ${arch}, takes_upgrades = ${takes},
      faults = ${held}, faults_since = case when coalesce(${held}, '') = '' then null else coalesce(faults_since, now()) end,
      shop_key = ${shopKey}::text, has_live_customers = ${customers === 'yes'},
      list_names = coalesce(${names}::jsonb, list_names), list_times = ${times}::jsonb,
      agent_networks = array(
        select other from unnest(agent_networks) as other
        where (position(':' in other) > 0) <> (position(':' in ${network}::text) > 0)
      ) || ${network}::text
    where id = ${nodeId} and removed_at is null and (
      seen_at is null or seen_at < now() - make_interval(secs => ${sql.lit(NOTED_EVERY_S)})
      or applied_revision <> ${since}::bigint or not ${network} = any(agent_networks)
      or (${names}::jsonb is not null and list_names is distinct from ${names}::jsonb)
      or list_times is distinct from ${times}::jsonb or nodes.faults is distinct from ${held}
      or (shop_key, has_live_customers) is distinct from (${shopKey}::text, ${customers === 'yes'}::boolean)
      or (agent_version, agent_arch, takes_upgrades) is distinct from (${version}::text, ${arch}::text, ${takes}::boolean))`.execute(
    db,
  )
}

/** Whether a network is a node's own: its customers come from there. */
export const isOfNode = async (db: Db, network: string): Promise<boolean> => {
  const { rows } = await sql`select from nodes where ${network} = any(agent_networks) limit 1`.execute(db)
  return rows.length > 0
}

/** The node that a token is for, while the token is good. */
export const findNodeOfToken = (db: Db, enrolmentHash: Buffer) =>
  agentNode(db)
    .where('enrolment_hash', '=', enrolmentHash)
    .where('enrolment_expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** The key that a node has until the transaction ends. */
export const lockPublicKey = async (trx: Trx, nodeId: string): Promise<string | null> => {
  const query = trx.selectFrom('nodes').select('public_key').where('id', '=', nodeId).forNoKeyUpdate()
  return (await query.executeTakeFirst())?.public_key ?? null
}

/** False when another agent was faster with the same token. A new agent numbers its reports by a clock of its own. */
export const enrol = async (
  trx: Trx,
  nodeId: string,
  enrolmentHash: Buffer,
  { publicKey, agentHash }: { publicKey: string; agentHash: Buffer },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('nodes')
    .set({
      public_key: publicKey,
      agent_hash: agentHash,
      report_number: 0,
      agent_networks: [],
      shop_key: null,
      has_live_customers: false,
      unreached: null,
      unreached_since: null,
      is_surely_unreached: false,
      seen_at: sql<Date>`now()`,
    })
    .where('id', '=', nodeId)
    .where('enrolment_hash', '=', enrolmentHash)
    .where('agent_hash', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const NUMBERED_AT_ONCE = 10_000

type Numbering = { revision: string; has_unnumbered: boolean }

const findNumbering = async (db: Db, nodeId: string): Promise<Numbering> => {
  const { rows } = await sql<Numbering>`
    select revision, exists (select from peers where node_id = nodes.id and peers.revision is null) as has_unnumbered
    from nodes where id = ${nodeId}`.execute(db)
  const [numbering] = rows
  if (!numbering) throw new Error('A node that is asked about has gone')
  return numbering
}

/**
 * Numbers the peers that have changed since their node last heard, one caller at a time, so that an agent that knows a
 * revision has seen every change up to it: numbers given with each change could become visible out of turn.
 * It does not wait for transactions that change peers, since they would wait for it; those peers are left for the next time.
 * An agent that is ahead of us knows a database that was there before a backup was restored. That is looked at before
 * anything is numbered: what waits for its number could bring us up to where the agent is.
 */
export const numberChanges = async (
  db: Db,
  nodeId: string,
  since: number,
): Promise<'agent-is-ahead' | 'all-numbered' | 'some-left'> => {
  const { revision, has_unnumbered } = await findNumbering(db, nodeId)
  if (since > Number(revision)) return 'agent-is-ahead'
  if (!has_unnumbered) return 'all-numbered'
  await db.transaction().execute(async (trx) => {
    await sql`select from nodes where id = ${nodeId} for no key update`.execute(trx)
    await sql`
      with free as (
        select id, created_at from peers where node_id = ${nodeId} and revision is null
        order by created_at, id limit ${NUMBERED_AT_ONCE} for update skip locked
      ),
      fresh as (select id, row_number() over (order by created_at, id) as n from free),
      numbered as (
        update peers set revision = nodes.revision + fresh.n from fresh, nodes
        where peers.id = fresh.id and peers.revision is null and nodes.id = ${nodeId}
      )
      update nodes set revision = revision + (select count(*) from fresh) where id = ${nodeId}`.execute(trx)
  })
  return (await findNumbering(db, nodeId)).has_unnumbered ? 'some-left' : 'all-numbered'
}

export type ChangedPeer = {
  id: string
  revision: string
  public_key: string
  preshared_key_encrypted: Buffer
  position: number
  ipv6_position: number | null
  is_gone: boolean
  is_awaited: boolean
  options: number
  filters_on: number
  expires_at: Date | null
  remove_at: Date | null
}

export type Changes = {
  /** How far the node is numbered, and up to where changes are no longer remembered. */
  revision: number
  horizon: number
  peers: ChangedPeer[]
}

/**
 * The peers of a node that changed after a revision, in the order of their revisions, and how far that goes: all as of one
 * moment, so that nothing is forgotten or numbered in between. One that was replaced by hand ends with its
 * connection, or a day after, without a page that explains; any other stays for the days of grace after its end. An agent looks each
 * second for one that is awaited: not for renewed keys, which may wait for months.
 */
export const listChanged = async (
  db: Db,
  nodeId: string,
  since: number,
  graceDays: number,
  limit: number,
): Promise<Changes> => {
  const { rows } = await sql<{ node_revision: string; horizon: string } & (ChangedPeer | { id: null })>`
    with changed as (
      select peers.id, peers.revision, peers.public_key, preshared_key_encrypted, position, ipv6_position, removed_at, connected_on,
        replaced_at, connection_id, connections.id is null as is_orphan, options, filters_on,
        case when is_kept then expires_at
          else least(expires_at, replaced_at + make_interval(hours => ${REPLACED_LIVES_HOURS})) end as expires_at,
        case when replaced_at is null or is_kept then expires_at + make_interval(days => ${graceDays})
          else least(expires_at, replaced_at + make_interval(hours => ${REPLACED_LIVES_HOURS})) end as remove_at
      from peers left join connections on connections.id = connection_id
      where node_id = ${nodeId} and peers.revision > ${since}::bigint
      order by peers.revision limit ${limit}
    )
    select nodes.revision as node_revision, nodes.horizon, changed.*,
      changed.removed_at is not null or is_orphan or coalesce(remove_at <= now(), false) as is_gone,
      replaced_at is null and connected_on is null and exists (
        select from peers as older where older.connection_id = changed.connection_id
          and older.replaced_at is not null and older.removed_at is null and not older.is_kept) as is_awaited
    from nodes left join changed on true where nodes.id = ${nodeId} order by changed.revision`.execute(db)
  const [first] = rows
  if (!first) throw new Error('A node that is asked about has gone')
  return {
    revision: Number(first.node_revision),
    horizon: Number(first.horizon),
    peers: rows.filter((row) => row.id !== null),
  }
}

export type PeerUsage = { id: string; received: number; sent: number }

/** Takes in which peers were connected, and their bytes, once per report number. */
export const takeReport = async (
  db: Db,
  nodeId: string,
  number: number,
  connected: readonly string[],
  usage: readonly PeerUsage[],
): Promise<void> => {
  await sql`
    with fresh as (
      update nodes set report_number = ${number}, seen_at = now()
      where id = ${nodeId} and report_number < ${number}::bigint returning id
    ),
    seen as (
      select id from unnest(${connected}::uuid[]) as id
    ),
    used as (
      select * from unnest(${usage.map(({ id }) => id)}::uuid[], ${usage.map((one) => one.received)}::bigint[],
        ${usage.map(({ sent }) => sent)}::bigint[]) as used (id, received, sent)
    ),
    held as (
      ${lockedPeers(sql`node_id in (select id from fresh) and id in (select id from seen union select id from used)`)}
    )
    update peers set
      connected_on = case when exists (select from seen where seen.id = peers.id)
        then (now() at time zone 'utc')::date else connected_on end,
      first_connected_on = case when exists (select from seen where seen.id = peers.id)
        then coalesce(first_connected_on, (now() at time zone 'utc')::date) else first_connected_on end,
      bytes_received = bytes_received + coalesce((select received from used where used.id = peers.id), 0),
      bytes_sent = bytes_sent + coalesce((select sent from used where used.id = peers.id), 0)
    where id in (select id from held)`.execute(db)
}

export const noteUsedTwice = async (db: Db, nodeId: string, peerIds: readonly string[]): Promise<void> => {
  await sql`
    insert into peers_used_twice (peer_id)
    select id from peers where node_id = ${nodeId} and id = any(${peerIds}::uuid[]) order by id
    on conflict (peer_id) do update set seen_at = now()`.execute(db)
}

/** Old peers whose replacement is among these, which were connected. */
export const listReplacedBy = async (db: Db, peerIds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select older.id from peers as newer
    join peers as older on older.connection_id = newer.connection_id and older.replaced_at is not null
      and older.removed_at is null
    where newer.id = any(${peerIds}::uuid[]) and newer.replaced_at is null and newer.connected_on is not null`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
