import { REMINDER_DAYS } from '@hedgerow/domain/renewals'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

export type Reminder = { customer_id: string; connection_ids: string[] }

/** That have yet to be reminded so many days before their end. In the words of the index on them. */
const TO_REMIND = sql`expires_at > now() and coalesce(reminded_days, 100) > reminder.days
  and exists (select from peers where connection_id = connections.id and replaced_at is null and removed_at is null)
  and expires_at - greatest(connections.created_at, (select max(created_at) from renewals where connection_id = connections.id))
    > reminder.days * interval '24 hours'`

/**
 * Marks the connections of so many customers whose reminder is due, and returns them by customer. With one that is due come those of the same
 * customer that end on the same day in London. Of two reminders that are due, the later one counts for both. None comes
 * with a purchase that left no more than its days.
 */
export const markReminded = async (trx: Trx, customers: number): Promise<Reminder[]> => {
  // Of two at once each would find a part of a customer's connections.
  await sql`select pg_advisory_xact_lock(hashtext('remind-of-ends'))`.execute(trx)
  const { rows } = await sql<Reminder>`
    with reminder as (select unnest(${[...REMINDER_DAYS]}::integer[]) as days),
    due as (
      select customer_id, expires_at, days, (expires_at at time zone 'Europe/London')::date as day
      from connections cross join reminder
      where expires_at <= now() + days * interval '24 hours' and ${TO_REMIND}
    ),
    customer as (select customer_id as id from due group by 1 order by min(expires_at) limit ${customers}),
    chosen as (
      select id, min(days) as days from connections cross join reminder
      where customer_id in (select id from customer)
        and expires_at < now() + (days + 1) * interval '24 hours' and ${TO_REMIND}
        and (customer_id, (expires_at at time zone 'Europe/London')::date, days) in (select customer_id, day, days from due)
      group by id
    ),
    locked as (
      select id from connections where id in (select id from chosen) order by id for update
    ),
    marked as (
      update connections set reminded_days = chosen.days from chosen
      where connections.id = chosen.id and chosen.id in (select id from locked)
        -- Read again: it may have been extended before the lock was had.
        and coalesce(reminded_days, 100) > chosen.days
        and expires_at < now() + (chosen.days + 1) * interval '24 hours'
      returning connections.id, customer_id, expires_at, name
    )
    select customer_id, array_agg(id order by expires_at, name, id) as connection_ids from marked group by 1`.execute(
    trx,
  )
  return rows
}

/** Those that are still to end as their reminder was marked. */
export const listEndingSoon = async (db: Db, ids: readonly string[]) => {
  const { rows } = await sql<{ id: string; name: string; expires_at: Date }>`
    select id, name, expires_at from connections
    where id = any(${ids}::uuid[]) and expires_at > now() and reminded_days is not null
      and exists (select from peers where connection_id = connections.id and replaced_at is null and removed_at is null)
    order by expires_at, ordinal, name`.execute(db)
  return rows
}
