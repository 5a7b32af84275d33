import { expressionBuilder } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/** The invoice that counts of the payment in the same query, to be joined. Of an order that was paid twice, one payment has it. */
export const liveInvoice = () =>
  expressionBuilder<Database, 'payments'>()
    .selectFrom('live_invoices')
    .selectAll()
    .whereRef('live_invoices.order_id', '=', 'payments.order_id')
    .where('payments.is_invoiced', '=', true)
    .limit(1)
    .as('invoices')
