import { sql } from 'kysely'

/** A sale, beside a row of `payments`: money came for an order, and stays there for it. What had its invoice stays one, whatever became due back since. */
export const IS_SALE = sql<boolean>`(payments.status = 'Success' and (not payments.refund_due or payments.is_invoiced))`
