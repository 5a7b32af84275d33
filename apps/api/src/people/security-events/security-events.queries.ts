import { SECURITY_EVENT_DAYS, type SecurityEvent } from '@hedgerow/domain/security-events'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue, updateDue } from '#platform/database/slices.ts'
import type { Visitor } from '#platform/http/visitor.ts'

type Written = { id: string; times: number }

/** Undefined for an account that is gone: an erasure under way is waited for. */
export const insertEvent = async (
  db: Db,
  customerId: string,
  kind: SecurityEvent,
  { browser, network }: Visitor,
): Promise<Written | undefined> => {
  const { rows } = await sql<Written>`
    insert into security_events (customer_id, kind, browser, network)
    select id, ${kind}, ${browser}::text, ${network}::text from customers where id = ${customerId} for key share
    returning id, times`.execute(db)
  return rows[0]
}

/** The first of an hour is a row, the others are counted there. Undefined for an account that is gone, or never was. */
export const countEvent = async (
  db: Db,
  customerId: string,
  kind: SecurityEvent,
  { browser, network }: Visitor,
): Promise<Written | undefined> => {
  const { rows } = await sql<Written>`
    insert into security_events as held (customer_id, kind, browser, network, hour)
    select id, ${kind}, ${browser}::text, ${network}::text, date_trunc('hour', now())
    from customers where id = ${customerId} for key share
    on conflict (customer_id, kind, hour) where hour is not null do update set
      times = held.times + 1, last_at = now(), browser = excluded.browser, network = excluded.network
    returning id, times`.execute(db)
  return rows[0]
}

/** It is to be mailed, to the address that the account has now. */
export const addressMail = async (db: Db, id: string): Promise<void> => {
  await sql`
    update security_events set mail_to = customers.email from customers
    where security_events.id = ${id} and customers.id = security_events.customer_id`.execute(db)
}

export const findEventToMail = (db: Db, id: string) =>
  db
    .selectFrom('security_events')
    .innerJoin('customers', 'customers.id', 'security_events.customer_id')
    .select(['security_events.id', 'kind', 'browser', 'network', 'last_at', 'mail_to', 'customers.name'])
    .where('security_events.id', '=', id)
    .executeTakeFirst()

export const forgetAddress = (db: Db, id: string) =>
  db.updateTable('security_events').set({ mail_to: null }).where('id', '=', id).execute()

/**
 * Notes a log-in where the account was used from there before: by the program's name and the network together. False where it
 * was not, and nothing is noted.
 */
export const insertLogInAgain = async (
  db: Db,
  customerId: string,
  { browser, network }: Visitor,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into security_events (customer_id, kind, browser, network)
    select id, 'log-in', ${browser}::text, ${network}::text from customers
    where id = ${customerId} and exists (
      select from security_events
      where customer_id = ${customerId} and kind in ('log-in', 'new-browser')
        and browser is not distinct from ${browser}::text and network is not distinct from ${network}::text)
    for key share
    returning id`.execute(db)
  return rows.length > 0
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

export const listAllEvents = (db: Db, customerId: string) =>
  db
    .selectFrom('security_events')
    .select(['kind', 'browser', 'network', 'times', 'created_at', 'last_at', 'mail_to'])
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute()

export type EventRow = Awaited<ReturnType<typeof listEventRows>>[number]

/** Of a mail that could not be sent in all the tries that the queue makes, the address is forgotten, too. */
export const deleteOldEvents = async (db: Db): Promise<void> => {
  const isOld = sql`created_at < now() - make_interval(days => ${sql.lit(SECURITY_EVENT_DAYS)})`
  await deleteDue(db, 'security_events', isOld)
  const isUnsent = sql`mail_to is not null and last_at < now() - interval '3 days'`
  await updateDue(db, 'security_events', sql`mail_to = null`, isUnsent)
}
