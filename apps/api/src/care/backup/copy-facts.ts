import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

export type CopyFacts = {
  customers: number
  orders: number
  payments: number
  invoices: number
  connections: number
  /** The newest trace of life: an order, a payment, an account, a node that was heard of. */
  newest: Date | null
  newestPayment: Date | null
}

/** What a copy of the shop holds, and until when. */
export const getCopyFacts = async (db: Db): Promise<CopyFacts> => {
  const { rows } = await sql<CopyFacts>`
    select (select count(*)::integer from customers) as customers,
      (select count(*)::integer from orders) as orders,
      (select count(*)::integer from payments) as payments,
      (select count(*)::integer from invoices) as invoices,
      (select count(*)::integer from connections) as connections,
      (select max(created_at) from payments) as "newestPayment",
      greatest((select max(created_at) from payments), (select max(created_at) from orders),
        (select max(created_at) from customers),
        (select max(seen_at) from nodes where seen_at <= now())) as newest`.execute(db)
  return rows[0] as CopyFacts
}
