import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { PaymentsTable } from '#platform/database/tables/payments.table.ts'
import { IS_SALE } from '#sales/invoices/is-sale.ts'

export type Sales = {
  currency: PaymentsTable['charged_currency']
  method: PaymentMethod
  count: number
  minor: number
  refunds: number
  refunded_minor: number
}

/**
 * What was paid for what was asked, and what went back of that and has not come back since, from one time up to another, in what was charged. What came
 * for nothing that is known here is no sale.
 */
export const sumSales = async (db: Db, from: Date, to: Date): Promise<Sales[]> => {
  const { rows } = await sql<Sales>`
    with paid as (
      select charged_currency, method, count(*) as count, sum(charged_minor) as minor from payments
      where ${IS_SALE} and ended_at >= ${from} and ended_at < ${to} group by 1, 2
    ),
    back as (
      select charged_currency, method, count(*) as count, sum(refunds.amount_minor) as minor
      from refunds join payments on payments.id = payment_id
      where refunds.status = 'Success' and refunds.ended_at >= ${from} and refunds.ended_at < ${to}
        and ${IS_SALE} and not exists (select from disputes where refund_id = refunds.id and reversed_at is not null)
      group by 1, 2
    )
    select charged_currency as currency, method,
      coalesce(paid.count, 0)::float8 as count, coalesce(paid.minor, 0)::float8 as minor,
      coalesce(back.count, 0)::float8 as refunds, coalesce(back.minor, 0)::float8 as refunded_minor
    from paid full join back using (charged_currency, method)
    order by 1, 2`.execute(db)
  return rows
}

export const countActive = async (db: Db): Promise<{ connections: number; customers: number }> => {
  const { rows } = await sql<{ connections: number; customers: number }>`
    select count(*)::int as connections, count(distinct customer_id)::int as customers from connections
    where expires_at is null or expires_at >= now()`.execute(db)
  return rows[0] ?? { connections: 0, customers: 0 }
}

/** Disputes that are open, or were lost in the last 30 days, and how many cards they were of. */
export const countDisputes = async (db: Db): Promise<{ open: number; lost: number; cards: number }> => {
  const { rows } = await sql<{ open: number; lost: number; cards: number }>`
    select count(*) filter (where disputes.status = 'open')::int as open,
      count(*) filter (where disputes.status = 'lost')::int as lost, count(distinct pan_masked)::int as cards
    from disputes join payments on payments.id = payment_id
    where disputes.status = 'open' or disputes.status = 'lost' and disputes.ended_at > now() - interval '30 days'`.execute(
    db,
  )
  return rows[0] ?? { open: 0, lost: 0, cards: 0 }
}
