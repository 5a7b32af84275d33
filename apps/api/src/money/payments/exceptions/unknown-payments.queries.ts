import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { UnknownPaymentsTable } from '#platform/database/tables/payments.table.ts'

export type UnknownPayment = Selectable<UnknownPaymentsTable>

export type ReportedPayment = Pick<
  UnknownPayment,
  | 'payment_id'
  | 'gateway'
  | 'gateway_ref'
  | 'method'
  | 'status'
  | 'currency'
  | 'pan_masked'
  | 'gate_customer_id'
  | 'is_given_back'
> & { amount_minor: number | null }

/** Only the gateway can sign one; should it ever sign too many, these are enough to see it. */
const MOST = 10_000

/**
 * Keeps what the gateway reports of a payment that is not here, once; later reports are added. A success is never taken back, and
 * an end only by a success. True when it is the first report.
 */
export const upsertUnknown = async (db: Db, reported: ReportedPayment): Promise<boolean> => {
  const { rows } = await sql<{ is_first: boolean }>`
    insert into unknown_payments as known
      (payment_id, gateway, gateway_ref, method, status, amount_minor, currency, pan_masked, gate_customer_id, is_given_back)
    select ${reported.payment_id}, ${reported.gateway}, ${reported.gateway_ref}::text, ${reported.method}, ${reported.status}, ${reported.amount_minor}::bigint, ${reported.currency}::text,
      ${reported.pan_masked}::text, ${reported.gate_customer_id}::text, ${reported.is_given_back}
    where not exists (select from payments where id = ${reported.payment_id})
      and (exists (select from unknown_payments where payment_id = ${reported.payment_id})
        or (select count(*) from unknown_payments) < ${MOST})
    on conflict (payment_id) do update set
      method = coalesce(excluded.method, known.method),
      status = case when known.status = 'Success'
          or (known.status in ('Decline', 'Error') and excluded.status <> 'Success')
        then known.status else excluded.status end,
      amount_minor = coalesce(excluded.amount_minor, known.amount_minor),
      currency = coalesce(excluded.currency, known.currency),
      pan_masked = coalesce(excluded.pan_masked, known.pan_masked),
      gate_customer_id = coalesce(excluded.gate_customer_id, known.gate_customer_id),
      is_given_back = known.is_given_back or excluded.is_given_back,
      last_told_at = now()
    returning xmax = 0 as is_first`.execute(db)
  return rows[0]?.is_first ?? false
}

/** Not one of them is a payment of ours by now, whichever way it became one. */
const IS_UNKNOWN = sql<SqlBool>`not exists (select from payments where id = unknown_payments.payment_id)`
/** Money has come, and it is not known what for. */
const WAITS = sql<SqlBool>`(${IS_UNKNOWN} and status = 'Success' and not is_given_back)`

export const measureUnknown = async (db: Db): Promise<{ count: number; oldest_seconds: number }> => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(first_told_at)), 0)::float8 as oldest_seconds
    from unknown_payments where ${WAITS}`.execute(db)
  return rows[0] ?? { count: 0, oldest_seconds: 0 }
}

/** Those that wait, or all that are kept; the oldest first. With the account's e-mail, where the gateway has named one. */
export const listUnknown = (db: Db, { isAll }: { isAll: boolean }, limit: number) =>
  db
    .selectFrom('unknown_payments')
    .leftJoin('customers', (join) => join.on(sql`customers.id::text`, '=', sql`gate_customer_id`))
    .selectAll('unknown_payments')
    .select('customers.email')
    .where(isAll ? IS_UNKNOWN : WAITS)
    .orderBy('first_told_at')
    .orderBy('payment_id')
    .limit(limit)
    .execute()

export type ListedUnknown = Awaited<ReturnType<typeof listUnknown>>[number]

/** Whose it is, as far as it was told of. */
export const findCarrier = (db: Db, paymentId: string) =>
  db
    .selectFrom('unknown_payments')
    .select(['gateway', 'gateway_ref'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()

/** Those of these ids, as a gateway has them, that are no payments here. */
export const listMissing = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as told (id)
    where not exists (select from payments where payments.id = told.id)`.execute(db)
  return rows.map(({ id }) => id)
}

export const deleteUnknown = async (db: Db, paymentId: string): Promise<void> => {
  await db.deleteFrom('unknown_payments').where('payment_id', '=', paymentId).execute()
}

/** Those that nothing is left to do about: they brought no money, or it went back, or they are payments of ours now. */
export const deleteOldUnknown = (db: Db) =>
  deleteDue(db, 'unknown_payments', sql`last_told_at < now() - interval '30 days' and not ${WAITS}`)

/** Cuts them off from the customer. */
export const cutUnknownFrom = async (db: Db, customerId: string): Promise<void> => {
  await db
    .updateTable('unknown_payments')
    .set({ gate_customer_id: null })
    .where('gate_customer_id', '=', customerId)
    .execute()
}

export const listUnknownOf = (db: Db, customerId: string): Promise<UnknownPayment[]> =>
  db
    .selectFrom('unknown_payments')
    .selectAll()
    .where('gate_customer_id', '=', customerId)
    .orderBy('first_told_at')
    .execute()
