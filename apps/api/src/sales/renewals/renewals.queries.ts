import { type GoodwillCause, SAME_GOODWILL_HOURS } from '@hedgerow/domain/goodwill'
import type { Purchase } from '@hedgerow/domain/renewals'
import { type Expression, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

/** Those of the ids that are connections of the customer's, with what decides whether they can be extended. */
export const findChosen = (db: Db, customerId: string, ids: readonly string[]) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'expires_at', 'options'])
    .select(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('peers')
            .select('peers.id')
            .whereRef('connection_id', '=', 'connections.id')
            .where('replaced_at', 'is', null)
            .where('removed_at', 'is', null),
        ),
      ).as('is_revoked'),
    )
    .where('customer_id', '=', customerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()

/** The connections that a payment made or extended. */
const idsOf = (paymentId: Expression<string>) => sql<{ id: string }>`
  select id from connections where payment_id = ${paymentId}
  union select connection_id from renewals where payment_id = ${paymentId}`

export const listIdsOf = async (db: Db, paymentId: string): Promise<string[]> =>
  (await idsOf(sql.val(paymentId)).execute(db)).rows.map(({ id }) => id)

export type Bought = { id: string; name: string; expires_at: Date | null; has_ended: boolean }
export type BoughtAsJson = Omit<Bought, 'expires_at'> & { expires_at: string | null }

/** Beside a row of `payments`: what it made or extended. One that never ended has ended with its payment. */
export const BOUGHT = sql<BoughtAsJson[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'expires_at', expires_at,
    'has_ended', coalesce(expires_at <= now(), true)) order by expires_at, ordinal), '[]')
  from connections where id in (${idsOf(sql.ref('payments.id'))}))`

export const readBought = (bought: readonly BoughtAsJson[]): Bought[] =>
  bought.map((one) => ({ ...one, expires_at: one.expires_at === null ? null : new Date(one.expires_at) }))

export const listBoughtBy = async (db: Db, paymentId: string): Promise<Bought[]> => {
  const row = await db
    .selectFrom('payments')
    .select(BOUGHT.as('bought'))
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return readBought(row?.bought ?? [])
}

/** Where these end by now, what ends next first. */
export const listEnds = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('connections')
    .select(['name', 'expires_at'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .orderBy('ordinal')
    .$narrowType<{ expires_at: Date }>()
    .execute()

/** Without a payment: days that the shop gave, or that were brought. */
export type PurchaseRow = Purchase & {
  connection_id: string
  payment_id: string | null
  options: number
  /** With its days it was brought from another panel. */
  is_brought: boolean
}

/** What was bought of these connections, in the order of its delivery; also what was cut off or given back since. */
export const listPurchases = async (db: Db, ids: readonly string[]): Promise<PurchaseRow[]> => {
  const { rows } = await sql<PurchaseRow>`
    with bought as (
      select id as connection_id, created_at as at, payment_id from connections where id = any(${ids}::uuid[])
      union all
      select connection_id, created_at, payment_id from renewals where connection_id = any(${ids}::uuid[])
    )
    select connection_id, payment_id, at, days, options, false as is_brought,
      least(cancelled_at, ended_by_dispute_at) as "cancelledAt",
      case when refunded_minor >= charged_minor and not is_kept_in_dispute
        and coalesce(cancelled_at, ended_by_dispute_at) is null
        then (select max(ended_at) from refunds where refunds.payment_id = payments.id and status = 'Success')
        end as "givenBackAt"
    from bought join payments on payments.id = payment_id join orders on orders.id = payments.order_id
    union all
    select connection_id, null, created_at, days, 0, false, null, null from goodwill_days
      where connection_id = any(${ids}::uuid[])
    union all
    select id, null, created_at, (extract(epoch from imported_end - created_at) / 86400)::float8, 0, true, null, null
      from connections where id = any(${ids}::uuid[]) and import_id is not null
    order by at, payment_id`.execute(db)
  return rows
}

/** With what decides where they end. */
export const listConnectionsOf = (db: Db, paymentId: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'expires_at', 'ended_by_hand'])
    .where('id', 'in', sql<string>`(${idsOf(sql.val(paymentId))})`)
    .orderBy('ordinal')
    .orderBy('name')
    .execute()

/** A filter that is no longer bought is off. */
export const setEnd = async (trx: Trx, id: string, end: Date | null, options: number): Promise<void> => {
  await trx
    .updateTable('connections')
    .set({ options, expires_at: end, filters_on: sql<number>`filters_on & ${options}::integer` })
    .where('id', '=', id)
    .execute()
}

export const findNow = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return rows[0]?.now as Date
}

/** No node keeps it any more. */
export const isCutOff = async (db: Db, connectionId: string): Promise<boolean> => {
  const peer = await db
    .selectFrom('peers')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('replaced_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return peer === undefined
}

/** What decides how many days the shop may still give, with the latest time that it gave so many. */
export const readGiven = async (trx: Trx, connectionId: string, days: number) => {
  const { rows } = await sql<{ of_month: number; of_year: number; has_same: boolean }>`
    select
      coalesce(sum(days) filter (where created_at > now() - interval '30 days'), 0)::int as of_month,
      coalesce(sum(days), 0)::int as of_year,
      coalesce(bool_or(days = ${days} and created_at > now() - make_interval(hours => ${SAME_GOODWILL_HOURS})), false)
        as has_same
    from goodwill_days where connection_id = ${connectionId} and created_at > now() - interval '365 days'`.execute(
    trx,
  )
  return rows[0] ?? { of_month: 0, of_year: 0, has_same: false }
}

type Given = { connectionId: string; days: number; reason: GoodwillCause; operatorId: string | null }

/** Locked by the caller. From its end on, or from now where that has passed. */
export const addGiven = async (
  trx: Trx,
  { connectionId, days, reason, operatorId }: Given,
): Promise<Date> => {
  const { rows } = await sql<{ new_end: Date }>`
    with held as (select id, expires_at as old_end from connections where id = ${connectionId}),
    extended as (
      update connections set reminded_days = null,
        expires_at = greatest(expires_at, now()) + ${days}::integer * interval '24 hours'
      where id = ${connectionId} returning id, expires_at
    )
    insert into goodwill_days (connection_id, operator_id, days, reason, old_end, new_end)
    select id, ${operatorId}::uuid, ${days}::integer, ${reason}, old_end, expires_at from held join extended using (id)
    returning new_end`.execute(trx)
  return rows[0]?.new_end as Date
}
