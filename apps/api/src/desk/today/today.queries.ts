import type { CurrencyCode } from '@hedgerow/domain/money'
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
  currency: sql<string>`charged_currency`,
  method: sql<string>`method`,
  plan: sql<string>`coalesce(orders.plan_name, '')`,
} as const

export type SalesPart = keyof typeof PARTS
export type SalesStep = 'day' | 'week' | 'month'

/** Of one day of London, in the currency of the price: rates of the books hold from a day on. */
type SoldOfDay = { day: string; currency: CurrencyCode; minor: number; count: number }

const SALE_DAY = sql<string>`to_char(payments.ended_at at time zone 'Europe/London', 'YYYY-MM-DD')`

/** What was paid for from one time up to another, before anything went back. */
export const soldByDay = async (db: Db, from: Date, to: Date): Promise<SoldOfDay[]> => {
  const { rows } = await sql<SoldOfDay>`
    select ${SALE_DAY} as day, currency, sum(amount_minor)::float8 as minor, count(*)::int as count from payments
    where ${IS_SALE} and ended_at >= ${from} and ended_at < ${to} group by 1, 2`.execute(db)
  return rows
}

/** The same since a time, by a part, with when its step began in London. */
export const salesBySteps = async (
  db: Db,
  { step, by, since }: { step: SalesStep; by: SalesPart; since: Date },
) => {
  const { rows } = await sql<SoldOfDay & { step: Date; key: string }>`
    select date_trunc(${step}, payments.ended_at at time zone 'Europe/London') at time zone 'Europe/London' as step,
      ${PARTS[by]} as key, ${SALE_DAY} as day, payments.currency, sum(amount_minor)::float8 as minor, count(*)::int as count
    from payments join orders on orders.id = order_id
    where ${IS_SALE} and payments.ended_at >= ${since}
    group by 1, 2, 3, 4 order by 2, 1`.execute(db)
  return rows
}

/** The plans' names, the one that was sold first before the others: a name keeps its place for ever. */
export const listPlanNames = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from plans group by name order by min(created_at), name`.execute(db)
  return rows.map(({ name }) => name)
}
