import { FILTERS } from '@hedgerow/domain/filters'
import { UP_WITHIN_S } from '@hedgerow/domain/nodes'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

const WITHIN = sql`make_interval(secs => ${sql.lit(UP_WITHIN_S)})`

/** That the node's agent has asked a short while ago. */
export const IS_IN_CONTACT = sql<boolean>`coalesce(nodes.seen_at > now() - ${WITHIN}, false)`

const IS_WELL = sql`(coalesce(nodes.faults, '') = '' and not nodes.is_surely_unreached)`

/** That it serves customers as they would say themselves. */
export const IS_UP = sql<boolean>`(${IS_IN_CONTACT} and ${IS_WELL})`

/** Of peers beside their connections: those that have not ended and are to be reached there. */
export const IS_LIVE = sql<boolean>`(peers.removed_at is null and peers.replaced_at is null and (expires_at is null or expires_at > now()))`

/**
 * That it takes new customers. While the shop itself did not run no agent could ask it, so that a node that was well then is
 * believed until its agent has had the time to.
 */
export const OPEN = sql`is_open and public_key is not null and removed_at is null and (is_demonstration or (${IS_WELL}
  and (${IS_IN_CONTACT} or (select watched_since > now() - ${WITHIN} from node_watch))))`

/** An agent has become the node. One that is to take over a server has that server's key before. */
export const HAS_ENROLLED = sql`(public_key is not null
  and not exists (select from imports where node_id = nodes.id and taken_over_at is null))`

/** It speaks AmneziaWG. Its customers need another app, so that only who chose such a place is put there. */
export const IS_OBFUSCATED = sql<boolean>`(nodes.obfuscation is not null)`

/** Those that are up go first; the demonstration node serves where there is no other. */
export const RANK = sql`case when ${IS_UP} then 0 when is_demonstration then 2 else 1 end`

/** Which filters it cannot do, as a mask: its lists for them are empty, as its agent says. */
export const LACKED = sql<number>`(${sql.join(
  FILTERS.map(
    ({ bit, filter }) =>
      sql`case when list_names->>${sql.lit(filter.list)} = '0' then ${sql.lit(bit)} else 0 end`,
  ),
  sql` + `,
)})`

export type OpenNode = {
  id: string
  name: string
  ipv4: string
  ipv6: string
  time_zone: string | null
  layer_id: string | null
  is_up: boolean
  rank: number
  /** Filters that it cannot do, as a mask. */
  lacked: number
  is_obfuscated: boolean
}

/** No plan's id, nor a node's. Around a null, which makes the search cheap, PostgreSQL would plan the statement anew each time. */
const NONE = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Nodes that take new customers, the one to be taken first at the top: those that are up, then those that can do what was
 * bought, then those of the plan's own layer, then the least loaded. The demonstration node serves where there is no other.
 */
export const openNodes = (
  planId: string | null,
  options = 0,
  kinds: 'plain' | 'all' = 'plain',
): RawBuilder<OpenNode> => sql`
  select id, name, ipv4, ipv6, time_zone, layer_id, ${IS_UP} as is_up, ${RANK} as rank, ${LACKED} as lacked,
    ${IS_OBFUSCATED} as is_obfuscated from nodes
  where ${OPEN} ${kinds === 'plain' ? sql`and not ${IS_OBFUSCATED}` : sql``}
    and (layer_id is null or layer_id = (select layer_id from plans where plans.id = ${planId ?? NONE}::uuid))
  order by ${RANK}, ${LACKED} & ${sql.lit(options)} <> 0, layer_id is null, load, created_at`

/** How many of a node's addresses were never put on its free list. */
const UNLISTED = sql`greatest(2 ^ (32 - masklen(nodes.ipv4)) - 2 - nodes.filled_to, 0)`

/**
 * That a node which may be taken for the plan, if it is for one, has so many free addresses; an obfuscated one only where one
 * was chosen.
 */
export const roomFor = (
  count: RawBuilder<number>,
  planId: RawBuilder<string>,
  chosenId: RawBuilder<string>,
): RawBuilder<boolean> => sql`exists (
  select from nodes where ${OPEN}
    and (not ${IS_OBFUSCATED} or exists (
      select from nodes as chosen where chosen.id = ${chosenId} and chosen.obfuscation is not null))
    and (layer_id is null or layer_id = (select layer_id from plans where plans.id = ${planId}))
    and (${UNLISTED} >= ${count} or ${UNLISTED} + (
      select count(*) from (
        select from free_addresses where node_id = nodes.id and available_at <= now() limit ${count}
      ) as free) >= ${count}))`

/** `chosenId` is of the location that was chosen, if one was. */
export const hasRoomFor = async (
  db: Db,
  count: number,
  planId: string | null,
  chosenId: string | null,
): Promise<boolean> => {
  const [plan, chosen] = [sql<string>`${planId ?? NONE}::uuid`, sql<string>`${chosenId ?? NONE}::uuid`]
  const room = roomFor(sql`${count}::integer`, plan, chosen)
  const { rows } = await sql<{ has_room: boolean }>`select ${room} as has_room`.execute(db)
  return rows[0]?.has_room === true
}

export const listOpenNodes = async (db: Db, planId: string | null, options: number) =>
  (await openNodes(planId, options, 'all').execute(db)).rows

/** What of some filters a node cannot do, and its name. */
export const findLacked = async (db: Db, nodeId: string, filters: number) => {
  const { rows } = await sql<{ name: string; lacked: number }>`
    select name, ${LACKED} & ${sql.lit(filters)} as lacked from nodes where id = ${nodeId}`.execute(db)
  return rows[0] ?? { name: '', lacked: 0 }
}

/** Also of a node that is closed or gone. */
export const findPlace = (db: Db, nodeId: string) =>
  db
    .selectFrom('nodes')
    .select(['time_zone', IS_OBFUSCATED.as('is_obfuscated')])
    .where('id', '=', nodeId)
    .executeTakeFirst()

/** Whether a node has that many free addresses now. */
export const hasFreeAddresses = async (db: Db, nodeId: string, count: number): Promise<boolean> => {
  const rows = await db
    .selectFrom('free_addresses')
    .select('position')
    .where('node_id', '=', nodeId)
    .where('available_at', '<=', sql<Date>`now()`)
    .limit(count)
    .execute()
  return rows.length === count
}

/**
 * Puts the next positions of a node's pool on its free list, unless it is no longer short: of many who find it short
 * at once, one fills it and the others wait. False when the whole pool has been put there already, or
 * the node is gone.
 */
export const extendFreeList = async (
  trx: Trx,
  nodeId: string,
  lastPosition: number,
  step: number,
  count: number,
): Promise<boolean> => {
  const node = await trx
    .selectFrom('nodes')
    .select('filled_to')
    .where('id', '=', nodeId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!node) return false
  const { filled_to: from } = node
  if (await hasFreeAddresses(trx, nodeId, count)) return true
  const to = Math.min(lastPosition, from + step)
  if (to <= from) return false
  await sql`
    insert into free_addresses (node_id, position)
    select ${nodeId}, position from generate_series(${from + 1}::int, ${to}::int) as position`.execute(trx)
  await trx.updateTable('nodes').set({ filled_to: to }).where('id', '=', nodeId).execute()
  return true
}
