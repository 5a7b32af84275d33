import { sql } from 'kysely'
import type { Books } from '#accounting/month-end/pages.ts'
import { IS_SALE } from '#sales/invoices/is-sale.ts'

/** What came of a payment, whatever was asked for. */
const HAS_MONEY = sql<boolean>`(payments.status = 'Success' or payments.received_minor is not null)`

/** Payments that ended in the month with money, by their ends, each with its order's invoice if it has one. */
export const listPaid = ({ db, month: { from, to }, pageRows }: Books, after?: { id: string }) =>
  db
    .selectFrom('payments')
    .leftJoin('invoices', 'invoices.order_id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.ended_at',
      'payments.amount_minor',
      'payments.currency',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.is_invoiced',
      'invoices.year',
      'invoices.number',
      'invoices.snapshot',
      IS_SALE.as('is_sale'),
    ])
    .where(HAS_MONEY)
    .where('payments.ended_at', '>=', from)
    .where('payments.ended_at', '<', to)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(payments.ended_at, payments.id) > (select ended_at, id from payments where id = ${after?.id ?? ''})`,
      ),
    )
    .orderBy('payments.ended_at')
    .orderBy('payments.id')
    .limit(pageRows)
    .execute()

export type PaidRow = Awaited<ReturnType<typeof listPaid>>[number]

const paidAt = sql<Date>`(snapshot ->> 'paidAt')::timestamptz`

/** The sales that an invoice is of: there is one. */
const salesOf = sql<string[]>`array(select payments.id from payments
  where payments.order_id = invoices.order_id and ${IS_SALE} and payments.is_invoiced)`

/**
 * Invoices that say they are of the month, by their numbers, each with the sales that it is of. Those of the years beside it
 * are looked through as well: one that is in a wrong year is to be found.
 */
export const listInvoicesSaidOf = (
  { db, month: { from, to, year }, pageRows }: Books,
  after?: { year: number; number: number },
) =>
  db
    .selectFrom('invoices')
    .select(['order_id', 'year', 'number', 'snapshot', salesOf.as('sales')])
    .where('year', '>=', year - 1)
    .where('year', '<=', year + 1)
    .where(paidAt, '>=', from)
    .where(paidAt, '<', to)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(year, number) > (${after?.year ?? 0}, ${after?.number ?? 0})`),
    )
    .orderBy('year')
    .orderBy('number')
    .limit(pageRows)
    .execute()

export type InvoiceRow = Awaited<ReturnType<typeof listInvoicesSaidOf>>[number]
