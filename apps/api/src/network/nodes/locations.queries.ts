import { lastPosition } from '@hedgerow/domain/addresses'
import { sql } from 'kysely'
import { IS_OBFUSCATED, LACKED, OPEN, RANK } from '#network/nodes/capacity.queries.ts'
import type { Db } from '#platform/database/client.ts'

export type OpenLocationRow = {
  id: string
  name: string
  time_zone: string | null
  layer_id: string | null
  has_room: boolean
  is_demonstration: boolean
  /** Filters that it cannot do, as a mask. */
  lacked: number
  is_obfuscated: boolean
}

/**
 * Nodes that take new customers, of any layer, by their names. Like purchases, it passes over those that are down where
 * one is up. There is room where an address is free, or the pool was not put on the free list to its end.
 */
export const listOpenLocationRows = async (db: Db): Promise<OpenLocationRow[]> => {
  const { rows } = await sql<Omit<OpenLocationRow, 'has_room'> & PoolFacts>`
    with open as (
      select id, name, time_zone, layer_id, ipv4, ipv6, filled_to, ${RANK} as rank, ${LACKED} as lacked,
        ${IS_OBFUSCATED} as is_obfuscated from nodes where ${OPEN}
    )
    select id, name, time_zone, layer_id, ipv4, ipv6, filled_to, lacked, is_obfuscated, rank = 2 as is_demonstration,
      exists (select from free_addresses where node_id = open.id and available_at <= now()) as has_free
    from open where rank = (select min(rank) from open)`.execute(db)
  return rows.map(({ has_free, filled_to, ipv4, ipv6, ...row }) => ({
    ...row,
    has_room: has_free || filled_to < lastPosition({ ipv4, ipv6 }),
  }))
}

/** Where an order's new connections are, or are to be. */
export type OrderedLocation = {
  id: string
  name: string
  /** False: it was the nearest, or the least loaded. */
  is_chosen: boolean
  /** The name of the one that was chosen and had no room. */
  instead_of: string | null
  is_obfuscated: boolean
}

/** To be selected beside a row of `orders`. Null: nothing was chosen, and nothing was made yet. */
export const ORDERED_LOCATION = sql<OrderedLocation | null>`(
  select json_build_object('id', place.id, 'name', place.name, 'is_chosen', orders.location_is_chosen,
    'is_obfuscated', place.obfuscation is not null,
    'instead_of', case when orders.location_is_chosen and place.id <> orders.location_id
      then (select chosen.name from nodes as chosen where chosen.id = orders.location_id) end)
  from nodes as place where place.id = coalesce(orders.delivered_location_id, orders.location_id)
)`.as('location')

type PoolFacts = { ipv4: string; ipv6: string; filled_to: number; has_free: boolean }
