import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { sql } from 'kysely'
import { HAS_ENROLLED, IS_UP } from '#network/nodes/capacity.queries.ts'
import { HAS_WATCHED, LONDON_DAY } from '#network/nodes/node-days.queries.ts'
import type { Db } from '#platform/database/client.ts'

/** Both bound what anyone may read. */
const MOST_PLACES = 200
const MOST_INCIDENTS = 50

/** JSON as PostgreSQL writes it: instants and days are texts. */
type PlaceRow = {
  name: string
  is_up: boolean
  is_demonstration: boolean
  /** By how many days ago, with the minutes watched and those of them up. */
  days: { ago: number; watched: number; up: number }[]
}
export type IncidentOnPage = {
  id: string
  title: string
  places: string[]
  is_planned: boolean
  starts_at: string
  ends_at: string | null
  closed_at: string | null
  updates: { at: string; text: string }[]
}
export type StatusRow = {
  now: Date
  first_day: string
  has_watched: boolean
  places: PlaceRow[]
  incidents: IncidentOnPage[]
}

const IS_OVER = sql`(closed_at is not null or coalesce(ends_at <= now(), false))`

/** What is now comes before what is planned, and that before what is over. */
const TURN = sql`case when ${IS_OVER} then 2 when starts_at > now() then 1 else 0 end`

/**
 * All of the page in one statement. A place is a node's name: one that follows a node that was removed, and has its name,
 * goes on with its days.
 */
export const readStatus = async (db: Db): Promise<StatusRow> => {
  const { rows } = await sql<StatusRow>`
    with live as (
      select name, ${IS_UP} as is_up, is_demonstration from nodes
      where removed_at is null and ${HAS_ENROLLED}
      order by name limit ${MOST_PLACES}
    ),
    days as (
      select name, ${LONDON_DAY} - day as ago, sum(minutes_watched)::int as watched, sum(minutes_up)::int as up
      from node_days join nodes on nodes.id = node_id
      where day > ${LONDON_DAY} - ${HISTORY_DAYS}::int and day <= ${LONDON_DAY}
      group by name, day
    ),
    histories as (
      select name, json_agg(json_build_object('ago', ago, 'watched', watched, 'up', up)) as days from days group by name
    ),
    places as (
      select live.*, coalesce(days, '[]') as days from live left join histories using (name)
    ),
    shown as (
      select id, title, places, is_planned, starts_at, ends_at, closed_at, ${TURN} as turn, coalesce((
        select json_agg(json_build_object('at', written_at, 'text', text) order by written_at desc, incident_updates.id)
        from incident_updates where incident_id = incidents.id
      ), '[]') as updates
      from incidents
      where not ${IS_OVER} or coalesce(closed_at, ends_at) > now() - make_interval(days => ${HISTORY_DAYS})
      order by turn, starts_at desc, id limit ${MOST_INCIDENTS}
    )
    select now() as now, (${LONDON_DAY} - ${HISTORY_DAYS - 1}::int)::text as first_day,
      (select ${HAS_WATCHED} from node_watch) as has_watched,
      coalesce((select json_agg(places order by name) from places), '[]') as places,
      coalesce((select json_agg(shown order by turn, starts_at desc, id) from shown), '[]') as incidents`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('The database said nothing of the status')
  return row
}

/** From where a node's customers come: networks that its agent was seen in, and addresses that its operator named. */
export type NodeExits = { name: string; networks: string[]; endpoint: string }

export const listExits = async (db: Db): Promise<NodeExits[]> => {
  const { rows } = await sql<NodeExits>`
    select name, agent_networks || exit_addresses as networks, endpoint from nodes
    where removed_at is null and not is_demonstration`.execute(db)
  return rows
}
