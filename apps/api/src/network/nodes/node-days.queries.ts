import { UP_WITHIN_S } from '@hedgerow/domain/nodes'
import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { sql } from 'kysely'
import { HAS_ENROLLED, IS_UP } from '#network/nodes/capacity.queries.ts'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'

/** Today in London, as the dates of the shop are. */
export const LONDON_DAY = sql`(now() at time zone 'Europe/London')::date`

/** The shop has looked for long enough to have heard of every agent that lives. */
export const HAS_WATCHED = sql<boolean>`watched_since < now() - make_interval(secs => ${sql.lit(UP_WITHIN_S)})`

/** A clock that is put back by less stands still until it has caught up; one that was so wrong is begun anew with. */
const PUT_BACK_MINUTES = 60

/**
 * Adds this minute to the day of every node, once, however often and by how many processes it is called: also where one was
 * held up until after the next minute, or the clock was put back. A minute in which no shop ran is in no node's day; nor is
 * one of a node that could not have been heard yet.
 */
export const recordMinute = async (db: Db): Promise<void> => {
  await sql`
    with this_minute as (
      update node_watch set recorded_minute = date_trunc('minute', now())
      where recorded_minute is null or recorded_minute < date_trunc('minute', now())
        or recorded_minute > now() + make_interval(mins => ${PUT_BACK_MINUTES})
      returning ${HAS_WATCHED} as has_watched
    )
    insert into node_days as days (node_id, day, minutes_watched, minutes_up)
    select nodes.id, ${LONDON_DAY}, 1, ${IS_UP}::int from nodes, this_minute
    where removed_at is null and ${HAS_ENROLLED} and not is_demonstration and (has_watched or ${IS_UP})
    on conflict (node_id, day) do update set
      minutes_watched = days.minutes_watched + 1, minutes_up = days.minutes_up + excluded.minutes_up`.execute(
    db,
  )
}

export const deleteOldDays = (db: Db) =>
  deleteDue(db, 'node_days', sql`day <= ${LONDON_DAY} - ${HISTORY_DAYS}::int`)
