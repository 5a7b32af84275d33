import { OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue, inSlices, yearsAgo } from '#platform/database/slices.ts'

/** Orders without an attempt that cannot be paid any more. */
export const deleteUntriedOrders = (db: Db) =>
  deleteDue(
    db,
    'orders',
    sql`status = 'New' and expires_at < now() - interval '30 days'
      and not exists (select from payments where order_id = orders.id)`,
  )

/** With some payments and what hangs on them. */
const SALES_AT_ONCE = 200

const IS_IN_BOOKS = sql`(coalesce(ended_at, now()) >= ${yearsAgo(OSS_INVOICE_YEARS)}
  or exists (select from credit_notes where payment_id = payments.id)
  or exists (select from invoice_corrections where payment_id = payments.id)
  or exists (select from restored_invoices where payment_id = payments.id)
  or exists (select from earnings where payment_id = payments.id)
  or exists (select from ledger_transfers where payment_id = payments.id))`

/**
 * Deletes sales of accounts that were deleted, with their payments: as long after the end of their year as the longest-kept
 * invoices, and after the last paper that names them.
 */
export const deleteOldSales = (db: Db) =>
  inSlices(
    async (most) => {
      const { rows } = await sql<{ count: number }>`
        with due as (
          select id from orders
          where customer_id is null and created_at < ${yearsAgo(OSS_INVOICE_YEARS)}
            and not exists (select from invoices where order_id = orders.id)
            and not exists (select from payments where order_id = orders.id and ${IS_IN_BOOKS})
          limit ${most} for update skip locked
        ),
        payment as (delete from payments where order_id in (select id from due) returning id),
        steps as (delete from payment_steps where payment_id in (select id from payment)),
        refund as (delete from refunds where payment_id in (select id from payment)),
        dispute as (delete from disputes where payment_id in (select id from payment)),
        hint as (delete from dispute_hints where payment_id in (select id from payment)),
        gone as (delete from orders where id in (select id from due) returning id)
        select count(*)::int as count from gone`.execute(db)
      return rows[0]?.count ?? 0
    },
    { rows: SALES_AT_ONCE },
  )
