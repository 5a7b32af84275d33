import type { AgentMinute } from '@hedgerow/contract/agents'
import {
  HISTORIES,
  type HistoryKind,
  HOURS_KEPT_DAYS,
  MINUTE_TAKEN_HOURS,
  MINUTES_KEPT_HOURS,
} from '@hedgerow/domain/node-history'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'

/**
 * Takes in what an agent says of minutes, each once, and adds what is new to its hours in the same statement: however often a
 * report comes, how late, and to which process. What is older than a day, or not over yet, is left.
 */
export const takeMinutes = async (db: Db, nodeId: string, minutes: readonly AgentMinute[]): Promise<void> => {
  const all = <K extends keyof AgentMinute>(name: K) => minutes.map((one) => one[name])
  await sql`
    with told as (
      select distinct on (told.minute) to_timestamp(told.minute * 60.0) as minute, peers, received, sent, processor, errors
      from unnest(${all('minute')}::int[], ${all('peers')}::int[], ${all('received')}::bigint[], ${all('sent')}::bigint[],
        ${all('processor')}::smallint[], ${all('errors')}::int[]) as told (minute, peers, received, sent, processor, errors)
      order by told.minute
    ),
    lists as (
      select min(at::bigint) as updated from nodes, jsonb_each_text(list_times) as times (list, at) where id = ${nodeId}
    ),
    fresh as (
      insert into node_minutes as known (node_id, minute, peers, received, sent, processor, errors, lists_age_hours)
      select ${nodeId}, minute, peers, received, sent, processor, errors,
        least(greatest(0, (extract(epoch from minute) - updated) / 3600), 1000000)::int
      from told, lists
      where minute > now() - make_interval(hours => ${sql.lit(MINUTE_TAKEN_HOURS)}) and minute <= now()
      order by minute
      on conflict (node_id, minute) do update set peers = excluded.peers, received = excluded.received, sent = excluded.sent,
        processor = excluded.processor, errors = excluded.errors, lists_age_hours = excluded.lists_age_hours
      where known.peers is null
      returning *
    )
    insert into node_hours as hours (node_id, hour, minutes, peers, peers_most, received, sent, processor, processor_most,
      errors, lists_age_hours)
    select node_id, date_trunc('hour', minute, 'UTC') as hour, count(*), sum(peers), max(peers), sum(received), sum(sent),
      sum(processor), max(processor), sum(errors), max(lists_age_hours)
    from fresh group by node_id, hour order by hour
    on conflict (node_id, hour) do update set
      minutes = hours.minutes + excluded.minutes, peers = hours.peers + excluded.peers,
      peers_most = greatest(hours.peers_most, excluded.peers_most),
      received = hours.received + excluded.received, sent = hours.sent + excluded.sent,
      processor = hours.processor + excluded.processor,
      processor_most = greatest(hours.processor_most, excluded.processor_most),
      errors = hours.errors + excluded.errors,
      lists_age_hours = greatest(hours.lists_age_hours, excluded.lists_age_hours)`.execute(db)
}

/** Handshakes that the shop sent to a node, and those of them that no answer came to. */
export type Tries = { nodeId: string; tries: number; lost: number }

/** Adds them to this minute and this hour, node by node in one order: two that do so at once do not wait for each other. */
export const noteTries = async (db: Db, tries: readonly Tries[]): Promise<void> => {
  await sql`
    with found as (
      select * from unnest(${tries.map(({ nodeId }) => nodeId)}::uuid[], ${tries.map((one) => one.tries)}::int[],
        ${tries.map(({ lost }) => lost)}::int[]) as found (node_id, tries, lost)
    ),
    minutes as (
      insert into node_minutes as known (node_id, minute, tries, lost)
      select node_id, date_trunc('minute', now()), tries, lost from found order by node_id
      on conflict (node_id, minute) do update set tries = known.tries + excluded.tries, lost = known.lost + excluded.lost
    )
    insert into node_hours as hours (node_id, hour, tries, lost)
    select node_id, date_trunc('hour', now(), 'UTC'), tries, lost from found order by node_id
    on conflict (node_id, hour) do update set tries = hours.tries + excluded.tries, lost = hours.lost + excluded.lost`.execute(
    db,
  )
}

/** In the course of a step. Sums of its minutes, but for the highest of some. */
export type HistoryRow = {
  from: Date
  minutes: number
  peers: number
  peers_most: number
  received: number
  sent: number
  processor: number
  processor_most: number
  errors: number
  lists_age_hours: number | null
  tries: number
  lost: number
}

/** What there is of a node's history, from a time on. */
export const listHistory = async (
  db: Db,
  nodeId: string,
  kind: HistoryKind,
  from: Date,
): Promise<HistoryRow[]> => {
  const minutes = sql`
    select to_timestamp(floor(extract(epoch from minute) / ${HISTORIES.day.stepMinutes * 60}) * ${HISTORIES.day.stepMinutes * 60}) as "from",
      count(peers)::int as minutes, sum(peers)::float8 as peers, max(peers) as peers_most, sum(received)::float8 as received,
      sum(sent)::float8 as sent, sum(processor)::int as processor, max(processor) as processor_most,
      sum(errors)::float8 as errors, max(lists_age_hours) as lists_age_hours, sum(tries)::int as tries, sum(lost)::int as lost
    from node_minutes where node_id = ${nodeId} and minute >= ${from} group by 1 order by 1`
  const hours = sql`
    select hour as "from", minutes, peers::float8, peers_most, received::float8, sent::float8, processor, processor_most,
      errors::float8, lists_age_hours, tries, lost
    from node_hours where node_id = ${nodeId} and hour >= ${from} order by hour`
  const { rows } = await sql<HistoryRow>`${kind === 'day' ? minutes : hours}`.execute(db)
  return rows
}

/** When its agent first said how it fared, to the hour. */
export const findFirstReport = async (db: Db, nodeId: string): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('node_hours')
    .select('hour')
    .where('node_id', '=', nodeId)
    .where('minutes', '>', 0)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}

/** A node's whole hours of the last day. */
export type LastDay = {
  /** By the hour since the first of them, where it was reported: on average. */
  peers: { at: number; peers: number }[]
  minutes: number
  peers_most: number
  received: number
  sent: number
  processor_most: number
  errors: number
  tries: number
  lost: number
}

/** Of all nodes, or of one. */
export const listLastDays = async (db: Db, from: Date, nodeId?: string): Promise<Map<string, LastDay>> => {
  const { rows } = await sql<LastDay & { node_id: string }>`
    select node_id, sum(minutes)::int as minutes, max(peers_most) as peers_most, sum(received)::float8 as received,
      sum(sent)::float8 as sent, max(processor_most) as processor_most, sum(errors)::float8 as errors,
      sum(tries)::int as tries, sum(lost)::int as lost,
      coalesce(json_agg(json_build_object('at', (extract(epoch from hour - ${from}::timestamptz) / 3600)::int,
        'peers', round(peers::numeric / nullif(minutes, 0)))) filter (where minutes > 0), '[]') as peers
    from node_hours where hour >= ${from} and hour < date_trunc('hour', now(), 'UTC')
      ${nodeId === undefined ? sql`` : sql`and node_id = ${nodeId}`}
    group by node_id`.execute(db)
  return new Map(rows.map(({ node_id, ...day }) => [node_id, day]))
}

export const deleteOldMinutes = (db: Db) =>
  deleteDue(db, 'node_minutes', sql`minute < now() - make_interval(hours => ${sql.lit(MINUTES_KEPT_HOURS)})`)

export const deleteOldHours = (db: Db) =>
  deleteDue(db, 'node_hours', sql`hour < now() - make_interval(days => ${sql.lit(HOURS_KEPT_DAYS)})`)
