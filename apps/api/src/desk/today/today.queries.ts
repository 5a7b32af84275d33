import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { IS_SALE } from '#sales/invoices/is-sale.ts'

/** Of the orders made since: how many there are, were paid, have their connections, and have one that was used. */
export const countOrdersSince = async (db: Db, since: Date) => {
  const { rows } = await sql<{ made: number; paid: number; delivered: number; connected: number }>`
    select count(*)::int as made,
      count(*) filter (where orders.status = 'Completed')::int as paid,
      count(*) filter (where exists (
        select from payments where order_id = orders.id and delivered_at is not null))::int as delivered,
      count(*) filter (where exists (
        select from payments join connections on payment_id = payments.id
        join peers on connection_id = connections.id
        where order_id = orders.id and connected_on is not null))::int as connected
    from orders where created_at >= ${since} and connections > 0`.execute(db)
  return rows[0] ?? { made: 0, paid: 0, delivered: 0, connected: 0 }
}

const PARTS = {
  currency: sql`charged_currency`,
  method: sql`method`,
  plan: sql`coalesce(orders.plan_name, 'Calculator')`,
} as const

export type SalesPart = keyof typeof PARTS
export type SalesStep = 'day' | 'week' | 'month'

/** What was paid for in each step of London's time since one, by a part and by currency. */
export const salesBySteps = async (
  db: Db,
  { step, by, since }: { step: SalesStep; by: SalesPart; since: Date },
) => {
  const { rows } = await sql<{ step: Date; name: string; currency: string; minor: number; count: number }>`
    select date_trunc(${step}, payments.ended_at at time zone 'Europe/London') at time zone 'Europe/London' as step,
      ${PARTS[by]} as name, charged_currency as currency, sum(charged_minor)::float8 as minor, count(*)::int as count
    from payments join orders on orders.id = order_id
    where ${IS_SALE} and payments.ended_at >= ${since}
    group by 1, 2, 3 order by 2, 3, 1`.execute(db)
  return rows
}
