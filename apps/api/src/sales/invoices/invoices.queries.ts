import { INVOICE_YEARS, OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { sql } from 'kysely'
import { ORDERED_LOCATION } from '#network/nodes/locations.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import { BUYER_TO_MAIL } from '#sales/orders/erased-buyers.ts'
import { BOUGHT } from '#sales/renewals/renewals.queries.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** The date that decides the year is London's. A time that is none has no year, which fails its own invoice and no list. */
const paidYear = sql<number>`case when isfinite(payments.ended_at)
  then extract(year from payments.ended_at at time zone 'Europe/London')::integer end`

const paidOrders = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .leftJoin('customers', 'customers.id', 'payments.customer_id')
    .select([
      'payments.order_id',
      'payments.id as payment_id',
      'payments.ended_at',
      'payments.method',
      'payments.coins',
      'payments.amount_minor',
      'payments.currency',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.rate_micro',
      'payments.rated_at',
      'payments.pan_masked',
      'payments.card_holder',
      'payments.auth_code',
      'payments.promocode',
      'orders.price_minor',
      'orders.days',
      'orders.plan_name',
      'orders.plan_period',
      RENEWED,
      'orders.connections',
      'orders.options',
      'payments.vat_country',
      'payments.vat_number',
      'payments.vat_number_standing',
      'payments.vat_number_consultation',
      'payments.vat_name',
      'payments.vat_address',
      'payments.network_country',
      'payments.bank_country',
      'customers.name',
      'customers.first_name',
      'customers.last_name',
      'customers.address_string',
      'customers.address_zip',
      'customers.address_city',
      'customers.address_country',
      paidYear.as('year'),
    ])
    .where('payments.status', '=', 'Success')
    .where('payments.refund_due', '=', false)
    .where('payments.is_invoiced', '=', false)
    .orderBy('payments.ended_at')
    .orderBy('payments.id')

export type PaidOrder = Awaited<ReturnType<typeof listDueOrders>>[number]

/** Paid orders without an invoice, in the order in which they were paid; without those that could not be given one. */
export const listDueOrders = (db: Db, limit: number) =>
  paidOrders(db)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('failing_invoices').select('payment_id').whereRef('payment_id', '=', 'payments.id'),
        ),
      ),
    )
    .limit(limit)
    .execute()

/** Those that could not be given one, and whose pause is over. */
export const listFailingOrders = (db: Db, limit: number) =>
  paidOrders(db)
    .innerJoin('failing_invoices', 'failing_invoices.payment_id', 'payments.id')
    .where('failing_invoices.next_try_at', '<=', sql<Date>`now()`)
    .limit(limit)
    .execute()

const FIRST_PAUSE_S = 30
const LONGEST_PAUSE_S = 900

/** That an invoice could not be issued, and when to try again: after 30 s, 60 s … a quarter of an hour. Returns the tries. */
export const noteFailing = async (db: Db, paymentId: string): Promise<number> => {
  const { rows } = await sql<{ tries: number }>`
    insert into failing_invoices as known (payment_id, next_try_at)
    values (${paymentId}, now() + make_interval(secs => ${FIRST_PAUSE_S}))
    on conflict (payment_id) do update set tries = known.tries + 1, next_try_at = now()
      + make_interval(secs => least(${LONGEST_PAUSE_S}, ${FIRST_PAUSE_S} * 2.0 ^ least(known.tries, 10)))
    returning tries`.execute(db)
  return rows[0]?.tries ?? 1
}

export const findDueOrder = (db: Db, orderId: string) =>
  paidOrders(db).where('payments.order_id', '=', orderId).executeTakeFirst()

export const listDueOrdersOf = (db: Db, customerId: string) =>
  paidOrders(db).where('payments.customer_id', '=', customerId).execute()

export type NewInvoice = { orderId: string; paymentId: string; snapshot: InvoiceSnapshot }

/**
 * Numbers them on from the year's last one, in their order. To be called with the year's counter locked: then
 * the transaction that came first has finished, and an order that got its invoice meanwhile takes no number. Returns the orders that got one.
 */
export const insertInvoices = async (
  trx: Trx,
  year: number,
  invoices: readonly NewInvoice[],
): Promise<string[]> => {
  const { rows } = await sql<{ order_id: string }>`
    with asked as (
      select * from unnest(
        ${invoices.map(({ orderId }) => orderId)}::uuid[],
        ${invoices.map(({ paymentId }) => paymentId)}::text[],
        ${invoices.map(({ snapshot }) => JSON.stringify(snapshot))}::jsonb[]
      ) with ordinality as asked (order_id, payment_id, snapshot, place)
    ),
    marked as (
      update payments set is_invoiced = true
      where id in (select payment_id from asked) and not is_invoiced
      returning id
    ),
    failing_no_more as (
      delete from failing_invoices where payment_id in (select id from marked)
    ),
    made as (
      insert into invoices (order_id, year, number, snapshot)
      select order_id, ${year}, counter.last + row_number() over (order by place), snapshot
      from asked join marked on marked.id = asked.payment_id
      join invoice_counters as counter on counter.year = ${year}
      returning order_id, number
    ),
    counted as (
      update invoice_counters set last = (select max(number) from made)
      where year = ${year} and exists (select from made)
    )
    select order_id from made`.execute(trx)
  return rows.map(({ order_id }) => order_id)
}

/** An order of that customer, with the invoice that counts if it has one. */
export const findOrderInvoice = (db: Db, customerId: string, orderId: string) =>
  db
    .selectFrom('orders')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('live_invoices')
          .selectAll()
          .whereRef('live_invoices.order_id', '=', 'orders.id')
          .limit(1)
          .as('invoices'),
      (join) => join.onTrue(),
    )
    .select(['orders.status', 'invoices.year', 'invoices.number', 'invoices.issued_at', 'invoices.snapshot'])
    .where('orders.id', '=', orderId)
    .where('orders.customer_id', '=', customerId)
    .executeTakeFirst()

/** Every invoice of a customer's orders, in the order in which they were numbered. */
export const listInvoicesOf = (db: Db, customerId: string) =>
  db
    .selectFrom('issued_invoices as invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .selectAll('invoices')
    .where('orders.customer_id', '=', customerId)
    .orderBy('year')
    .orderBy('number')
    .execute()

const oldestKept = (years: number) =>
  sql<number>`(extract(year from now() at time zone 'Europe/London')::int - ${years}::int)`

/** The law wants what is declared in the One Stop Shop to be kept longer. In the words of the index on the others. */
const isNotOss = sql`(snapshot -> 'vat' ->> 'treatment') is distinct from 'oss'`

/** Deletes those that need not be kept any more. Their numbers are not given again. */
export const deleteOldInvoices = async (db: Db): Promise<void> => {
  for (const papers of ['credit_notes', 'invoices'] as const) {
    await deleteDue(db, papers, sql`year < ${oldestKept(INVOICE_YEARS)} and ${isNotOss}`)
    await deleteDue(db, papers, sql`year < ${oldestKept(OSS_INVOICE_YEARS)}`)
  }
  const isNotOssEither = sql`${isNotOss} and (credit_snapshot -> 'vat' ->> 'treatment') is distinct from 'oss'`
  for (const table of ['invoice_corrections', 'restored_invoices'] as const) {
    await deleteDue(db, table, sql`year < ${oldestKept(INVOICE_YEARS)} and ${isNotOssEither}`)
    await deleteDue(db, table, sql`year < ${oldestKept(OSS_INVOICE_YEARS)}`)
  }
  for (const gaps of ['invoice_gaps', 'credit_note_gaps'] as const)
    await deleteDue(db, gaps, sql`year < ${oldestKept(OSS_INVOICE_YEARS)}`)
}

/** What the receipt's mail needs. */
export const findReceipt = (db: Db, orderId: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .innerJoin('payments', (join) =>
      join.onRef('payments.order_id', '=', 'orders.id').on('payments.is_invoiced', '=', true),
    )
    .select([
      'invoices.year',
      'invoices.number',
      'invoices.issued_at',
      'invoices.snapshot',
      'payments.id as payment_id',
      'payments.method',
      'payments.gateway',
      'payments.delivered_at',
      'payments.cancelled_at',
      'payments.ended_by_dispute_at',
      'payments.terms_hash',
      sql<boolean>`payments.refunded_minor >= payments.charged_minor and not payments.is_kept_in_dispute`.as(
        'is_given_back',
      ),
      'orders.renews',
      RENEWED,
      ORDERED_LOCATION,
      BUYER_TO_MAIL.as('buyer'),
      BOUGHT.as('bought'),
    ])
    .where('invoices.order_id', '=', orderId)
    .executeTakeFirst()
