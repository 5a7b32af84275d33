import type { Purchase } from '@hedgerow/domain/renewals'
import { sql } from 'kysely'
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
const idsOf = (paymentId: string) => sql<{ id: string }>`
  select id from connections where payment_id = ${paymentId}
  union select connection_id from renewals where payment_id = ${paymentId}`

export const listIdsOf = async (db: Db, paymentId: string): Promise<string[]> =>
  (await idsOf(paymentId).execute(db)).rows.map(({ id }) => id)

/** The same with their names and ends. One that never ended has ended with its payment. */
export const listBoughtBy = (db: Db, paymentId: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'expires_at', sql<boolean>`coalesce(expires_at <= now(), true)`.as('has_ended')])
    .where('id', 'in', sql<string>`(${idsOf(paymentId)})`)
    .orderBy('expires_at')
    .orderBy('ordinal')
    .execute()

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

export type PurchaseRow = Purchase & { connection_id: string; payment_id: string; options: number }

/** What was bought of these connections, in the order of its delivery; also what was cut off or given back since. */
export const listPurchases = async (db: Db, ids: readonly string[]): Promise<PurchaseRow[]> => {
  const { rows } = await sql<PurchaseRow>`
    with bought as (
      select id as connection_id, created_at as at, payment_id from connections where id = any(${ids}::uuid[])
      union all
      select connection_id, created_at, payment_id from renewals where connection_id = any(${ids}::uuid[])
    )
    select connection_id, payment_id, at, days, options,
      least(cancelled_at, ended_by_dispute_at) as "cancelledAt",
      case when refunded_minor >= charged_minor and not is_kept_in_dispute
        and coalesce(cancelled_at, ended_by_dispute_at) is null
        then (select max(ended_at) from refunds where refunds.payment_id = payments.id and status = 'Success')
        end as "givenBackAt"
    from bought join payments on payments.id = payment_id join orders on orders.id = payments.order_id
    order by at, payment_id`.execute(db)
  return rows
}

/** With what decides where they end. */
export const listConnectionsOf = (db: Db, paymentId: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'expires_at', 'ended_by_hand'])
    .where('id', 'in', sql<string>`(${idsOf(paymentId)})`)
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
