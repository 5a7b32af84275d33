import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import { sql } from 'kysely'
import { type AttentionItem, isAttentionItem } from '#care/telemetry/attention-items.ts'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'
import { liveInvoice } from '#sales/invoices/live-invoice.ts'
import { saleOperation } from '#sales/invoices/sale-operation.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** A payment with what became of it. Whose it is stands in the account's number only. */
const facts = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .leftJoinLateral(liveInvoice, (join) => join.onTrue())
    .select([
      'payments.id',
      'payments.order_id',
      'payments.customer_id',
      'payments.method',
      'payments.gateway',
      'payments.gateway_ref',
      'payments.amount_minor',
      'payments.currency',
      'payments.promocode',
      'orders.price_minor',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.over_minor',
      'payments.coins',
      'payments.over_settled_at',
      'payments.rate_micro',
      'payments.refunded_minor',
      'payments.disputed_minor',
      'payments.ended_by_dispute_at',
      'payments.status',
      'payments.gate_code',
      'payments.gate_status',
      'payments.gate_request_id',
      'payments.created_at',
      'payments.ended_at',
      'payments.delivered_at',
      'payments.refund_due',
      'payments.cancelled_at',
      'payments.cancelled_minor',
      'payments.is_unknown',
      'payments.is_invoiced',
      'payments.next_check_at',
      'orders.status as order_status',
      'orders.days',
      'orders.connections',
      'orders.plan_name',
      'orders.plan_period',
      RENEWED,
      'invoices.year as invoice_year',
      'invoices.number as invoice_number',
      'invoices.issued_at as invoice_issued_at',
      ({ selectFrom, fn }) =>
        selectFrom('connections')
          .select(fn.countAll<string>().as('count'))
          .whereRef('payment_id', '=', 'payments.id')
          .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
          .as('active_connections'),
      saleOperation('payments.id').as('operation_id'),
      sql<Date>`now()`.as('now'),
    ])

export type PaymentFacts = Awaited<ReturnType<typeof listFactsOf>>[number]

export const findFacts = (db: Db, id: string) => facts(db).where('payments.id', '=', id).executeTakeFirst()

/** Whom to ask about each. */
export const listCarried = (db: Db, ids: readonly string[]) =>
  db.selectFrom('payments').select(['id', 'gateway', 'gateway_ref']).where('id', 'in', ids).execute()

/** In the order in which they were started. */
export const listFactsOf = (db: Db, ids: readonly string[]) =>
  facts(db).where('payments.id', 'in', ids).orderBy('payments.created_at').orderBy('payments.id').execute()

/** Who asked for each of a payment's refunds, by the refund. */
export const listRefunders = async (db: Db, paymentId: string): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('operator_sums')
    .innerJoin('operators', 'operators.id', 'operator_sums.operator_id')
    .innerJoin('refunds', 'refunds.id', 'operator_sums.refund_id')
    .select(['refunds.id', 'operators.name'])
    .where('refunds.payment_id', '=', paymentId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Newest first. */
export const listFactsOfOrder = (db: Db, orderId: string) =>
  facts(db)
    .where('payments.order_id', '=', orderId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id')
    .execute()

/** An account's, the newest first. */
export const listFactsOfCustomer = (db: Db, customerId: string, limit: number) =>
  facts(db)
    .where('payments.customer_id', '=', customerId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id')
    .limit(limit)
    .execute()

type PaymentSearch = {
  since?: string | undefined
  until?: string | undefined
  only?: AttentionItem | undefined
  status?: PaymentStatus | undefined
  method?: PaymentMethod | undefined
  currency?: string | undefined
  customerId?: string | undefined
  promocode?: string | undefined
  least?: number | undefined
  most?: number | undefined
}

type Facts = ReturnType<typeof facts>

/** The condition, where what it is about was asked for. */
const only = <T>(query: Facts, value: T | undefined, add: (query: Facts, value: T) => Facts): Facts =>
  value === undefined ? query : add(query, value)

/** What a search finds, in no order. */
export const selectFacts = (db: Db, search: PaymentSearch): Facts => {
  let query = facts(db)
  query = only(query, search.since, (found, at) => found.where('payments.created_at', '>=', new Date(at)))
  query = only(query, search.until, (found, at) => found.where('payments.created_at', '<', new Date(at)))
  query = only(query, search.only, (found, item) => found.where(isAttentionItem(item)))
  query = only(query, search.status, (found, status) => found.where('payments.status', '=', status))
  query = only(query, search.method, (found, method) => found.where('payments.method', '=', method))
  query = only(query, search.currency, (found, code) =>
    found.where(sql<boolean>`payments.charged_currency = ${code}`),
  )
  query = only(query, search.customerId, (found, id) => found.where('payments.customer_id', '=', id))
  query = only(query, search.promocode, (found, code) =>
    found.where('payments.promocode', '=', code.toUpperCase()),
  )
  query = only(query, search.least, (found, sum) => found.where('payments.charged_minor', '>=', sum))
  return only(query, search.most, (found, sum) => found.where('payments.charged_minor', '<=', sum))
}

/** What lists are sorted by. */
export const factsOrder = {
  sorts: { createdAt: { by: sql`payments.created_at`, type: 'timestamptz' } },
  id: { by: sql`payments.id`, type: 'text' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

/** Credit notes of what went back of a payment, the oldest first. */
export const listNotesOf = (db: Db, paymentId: string) =>
  db
    .selectFrom('issued_credit_notes')
    .select(['year', 'number', 'issued_at'])
    .where('payment_id', '=', paymentId)
    .orderBy('issued_at')
    .execute()

/** The payments that were started from one time up to another, the oldest first. */
export const listIdsBetween = async (db: Db, from: Date, to: Date): Promise<string[]> => {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
