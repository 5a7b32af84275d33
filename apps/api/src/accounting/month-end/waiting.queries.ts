import { type RawBuilder, sql } from 'kysely'
import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'
import { IS_SALE } from '#sales/invoices/is-sale.ts'

/** What has to move before a month can be closed: how many there are, and the first few. */
export type Waiting = { count: number; ids: string[] }

const MOST_NAMED = 20

/** `ids`: a list of texts called id. */
const listed = async (db: Db, ids: RawBuilder<unknown>): Promise<Waiting> => {
  const { rows } = await sql<Waiting>`
    with waiting as (${ids})
    select count(*)::integer as count,
      coalesce((select array_agg(id) from (select id from waiting order by id limit ${MOST_NAMED}) as first), '{}') as ids
    from waiting`.execute(db)
  return rows[0] ?? { count: 0, ids: [] }
}

/** Those that could not be issued, and those that the job has not come to yet. */
export const listWithoutInvoice = (db: Db, { to }: Month) =>
  listed(
    db,
    sql`select id from payments where status = 'Success' and not refund_due and not is_invoiced and ended_at < ${to}`,
  )

export const listWithoutNote = (db: Db, { to }: Month) =>
  listed(db, sql`select id::text from refunds where status = 'Success' and not is_noted and ended_at < ${to}`)

/** Asked for before the month's end, and not at an end: under way, or to be sent by hand; refused, and still owed. */
export const listOpenRefunds = (db: Db, { to }: Month) =>
  listed(
    db,
    sql`select payment_id as id from refunds
      where (status = 'Pending' or (status = 'Decline' and closed_at is null)) and created_at < ${to}`,
  )

/** It is not known yet whose the money is. */
export const listOpenDisputes = (db: Db, { to }: Month) =>
  listed(db, sql`select id::text from disputes where status = 'open' and opened_at < ${to}`)

/** A customer has the rest of the day for a page that is open. */
export const listOpenPayments = (db: Db, { to }: Month) =>
  listed(
    db,
    sql`select id from payments
      where ended_at is null and created_at < least(${to}, now() - interval '1 day')`,
  )

/** Each currency that is sold in, other than pounds, in which something was sold in a month that has no rate of its own. */
export const listCurrenciesWithoutRate = (db: Db, { from, to, firstDay, lastDay }: Month) =>
  listed(
    db,
    sql`select distinct currency as id from payments
      where ${IS_SALE} and currency <> 'GBP'
        and ended_at >= ${from} and ended_at < ${to}
        and not exists (
          select from accounting_rates as rate
          where rate.kind = 'sterling' and rate.currency = payments.currency
            and rate.day between ${firstDay}::date and ${lastDay}::date)`,
  )

/** Sales in euros of which the invoice tells no sterling, because no rate was set at all when it was issued. */
export const listWithoutSterling = (db: Db, { from, to, year }: Month) =>
  listed(
    db,
    sql`select order_id::text as id from invoices
      where year = ${year} and snapshot ->> 'currency' <> 'GBP' and not snapshot ? 'sterling'
        and (snapshot ->> 'paidAt')::timestamptz >= ${from} and (snapshot ->> 'paidAt')::timestamptz < ${to}`,
  )

/** Invoices in another month's rate: they were issued before that of their month was set. */
export const listAtOldRate = (db: Db, { from, to, year, firstDay }: Month) =>
  listed(
    db,
    sql`select year || '-' || lpad(number::text, 6, '0') as id from invoices
      where year = ${year} and snapshot #>> '{sterling,rateDay}' < ${firstDay}
        and (snapshot ->> 'paidAt')::timestamptz >= ${from} and (snapshot ->> 'paidAt')::timestamptz < ${to}`,
  )
