import { WEBHOOK_FAILING_DAYS, WEBHOOKS_KEPT_DAYS } from '@hedgerow/domain/webhook-events'
import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '#platform/database/tables/webhooks.table.ts'

export type EndpointFacts = WebhookEndpointRow & { waiting: number }

export const listEndpoints = (db: Db): Promise<EndpointFacts[]> =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from webhook_deliveries
        where endpoint_id = webhook_endpoints.id and next_try_at is not null)`.as('waiting'),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Held, so that of two changes at once the second sees the first; and so that there are never too many. */
export const lockEndpoints = async (trx: Trx): Promise<WebhookEndpointRow[]> => {
  await sql`select pg_advisory_xact_lock(hashtext('webhook_endpoints'))`.execute(trx)
  return trx.selectFrom('webhook_endpoints').selectAll().execute()
}

/** What waits is due at once; told of ends from now on. */
export const switchOn = async (trx: Trx, id: string): Promise<void> => {
  await sql`update webhook_endpoints set disabled_at = null, disabled_because = null, failing_since = null,
    ends_told_at = now() where id = ${id} and disabled_at is not null`.execute(trx)
  await sql`update webhook_deliveries set next_try_at = now(), failures = 0
    where endpoint_id = ${id} and next_try_at is not null`.execute(trx)
}

export const switchOff = async (
  db: Db,
  id: string,
  because: NonNullable<WebhookEndpointRow['disabled_because']>,
): Promise<void> => {
  await sql`update webhook_endpoints set disabled_at = now(), disabled_because = ${because}
    where id = ${id} and disabled_at is null`.execute(db)
}

export const listDueEndpoints = (db: Db): Promise<WebhookEndpointRow[]> =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('disabled_at', 'is', null)
    .where(
      sql<SqlBool>`exists (select from webhook_deliveries
        where endpoint_id = webhook_endpoints.id and next_try_at <= now())`,
    )
    .execute()

/** A try that is not heard of again, because its process has gone, is followed by another after this. */
const CLAIMED_FOR = sql`interval '1 minute'`

/** Some messages of an endpoint that are due, for this process alone. */
export const claimDeliveries = async (db: Db, endpointId: string, most: number) => {
  const { rows } = await sql<WebhookDeliveryRow>`
    update webhook_deliveries set next_try_at = now() + ${CLAIMED_FOR}, attempts = attempts + 1, tried_at = now()
    where id in (select id from webhook_deliveries where endpoint_id = ${endpointId} and next_try_at <= now()
      order by next_try_at limit ${most} for update skip locked)
    returning *`.execute(db)
  return rows
}

export const markDelivered = async (db: Db, { id, endpoint_id }: WebhookDeliveryRow, status: number) => {
  await sql`
    with delivered as (
      update webhook_deliveries set delivered_at = now(), next_try_at = null, status_code = ${status}, error = null
      where id = ${id}
    )
    update webhook_endpoints set failing_since = null
    where id = ${endpoint_id} and failing_since is not null`.execute(db)
}

export type Failure = { status: number | null; error: string | null; pauseS: number | undefined }

/** An endpoint that has taken nothing for days is turned off when a message to it is given up. */
export const markFailed = async (
  db: Db,
  { id, endpoint_id }: WebhookDeliveryRow,
  { status, error, pauseS }: Failure,
): Promise<void> => {
  const isOver = sql`${pauseS === undefined}::boolean
    and failing_since < now() - make_interval(days => ${WEBHOOK_FAILING_DAYS})`
  await sql`
    with failed as (
      update webhook_deliveries set failures = failures + 1, status_code = ${status}, error = ${error},
        next_try_at = now() + make_interval(secs => ${pauseS ?? null}::float8)
      where id = ${id}
    )
    update webhook_endpoints set failing_since = coalesce(failing_since, now()),
      disabled_at = case when ${isOver} then coalesce(disabled_at, now()) else disabled_at end,
      disabled_because = case when ${isOver} then coalesce(disabled_because, 'failing') else disabled_because end
    where id = ${endpoint_id}`.execute(db)
}

/** Of so much time at once, so that no transaction is a long one. */
const STEP = sql`interval '1 hour'`

/**
 * Connections whose end the clock has brought, told to those who want to know. What was ended at once has been told by the
 * same name. Returns whether anybody is behind.
 */
export const tellEnds = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ is_behind: boolean }>`
    with behind as (
      select id, ends_told_at as since, least(now(), ends_told_at + ${STEP}) as until from webhook_endpoints
      where disabled_at is null and 'connection.ended' = any(events) and ends_told_at < now() - interval '5 seconds'
      for no key update skip locked
    ), told as (
      insert into webhook_deliveries (endpoint_id, event, occurrence, data)
      select behind.id, 'connection.ended', connections.id || ' ' || extract(epoch from expires_at),
        jsonb_build_object('connectionId', connections.id, 'paymentId', payment_id, 'endedAt', expires_at)
      from behind join connections on expires_at > since and expires_at <= until
      on conflict do nothing
    )
    update webhook_endpoints set ends_told_at = until from behind where webhook_endpoints.id = behind.id
    returning until < now() as is_behind`.execute(db)
  return rows.some(({ is_behind }) => is_behind)
}

export const insertTest = async (db: Db, endpointId: string): Promise<void> => {
  await sql`insert into webhook_deliveries (endpoint_id, event, occurrence, data)
    values (${endpointId}, 'test', gen_random_uuid()::text, '{}')`.execute(db)
}

export type Resent = 'none' | 'off' | 'sent'

export const sendAgain = async (db: Db, id: string): Promise<Resent> => {
  const row = await db
    .selectFrom('webhook_deliveries')
    .leftJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
    .select(['webhook_endpoints.id as endpoint', 'disabled_at'])
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
  if (!row?.endpoint) return 'none'
  if (row.disabled_at) return 'off'
  await sql`update webhook_deliveries set next_try_at = now(), failures = 0, delivered_at = null
    where id = ${id}`.execute(db)
  return 'sent'
}

/** After 30 days, unless it waits; and whatever belonged to an endpoint that was removed. */
export const deleteOldDeliveries = (db: Db): Promise<void> =>
  deleteDue(
    db,
    'webhook_deliveries',
    sql`happened_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS})
      or endpoint_id not in (select id from webhook_endpoints)`,
  )

/** Turned off because of failing, or failing for an hour. */
export const countFailingEndpoints = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::float8 as count,
      coalesce(extract(epoch from now() - min(coalesce(failing_since, disabled_at))), 0)::float8 as oldest_seconds
    from webhook_endpoints
    where disabled_because in ('failing', 'gone')
      or disabled_at is null and failing_since < now() - interval '1 hour'`.execute(db)
  return rows[0]
}
