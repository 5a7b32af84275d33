import { SECURITY_EVENT_DAYS, type SecurityEvent } from '@hedgerow/domain/security-events'
import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Visitor } from '#http/visitor.ts'

export const insertEvent = (db: Db, customerId: string, kind: SecurityEvent, visitor: Visitor) =>
  db
    .insertInto('security_events')
    .values({ customer_id: customerId, kind, ...visitor })
    .execute()

/** The first of an hour is a row, the others are counted there. An account that is gone has none. */
export const countEvent = async (
  db: Db,
  customerId: string,
  kind: SecurityEvent,
  { browser, network }: Visitor,
): Promise<void> => {
  await sql`
    insert into security_events as held (customer_id, kind, browser, network, hour)
    select id, ${kind}, ${browser}, ${network}, date_trunc('hour', now()) from customers where id = ${customerId}
    on conflict (customer_id, kind, hour) where hour is not null do update set
      times = held.times + 1, last_at = now(), browser = excluded.browser, network = excluded.network`.execute(
    db,
  )
}

export type EventsPage = { before?: string | undefined; limit: number }

/** The newest first. */
export const listEventRows = (db: Db, customerId: string, { before, limit }: EventsPage) =>
  db
    .selectFrom('security_events')
    .select(['id', 'kind', 'browser', 'network', 'times', 'created_at', 'last_at'])
    .where('customer_id', '=', customerId)
    .$if(before !== undefined, (query) => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const deleteOldEvents = (db: Db) =>
  db
    .deleteFrom('security_events')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${sql.lit(SECURITY_EVENT_DAYS)})`)
    .execute()
