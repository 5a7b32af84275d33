import { type InferResult, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'
import { saleOperation } from '#sales/invoices/sale-operation.ts'

export type Between = { begins: Date; ends: Date }

/** What credit notes took off an invoice, in its currency. */
const CREDITED = sql<string>`(
  select coalesce(sum((credit_notes.snapshot ->> 'totalMinor')::bigint), 0)::text
  from issued_credit_notes as credit_notes join payments on payments.id = credit_notes.payment_id
  where payments.order_id = invoices.order_id
    and credit_notes.snapshot #>> '{invoice,number}' = invoices.year || '-' || lpad(invoices.number::text, 6, '0'))`

const at = (path: string, { begins, ends }: Between) =>
  sql<boolean>`(snapshot ->> ${sql.lit(path)}) collate "C" >= ${begins.toISOString()}
    and (snapshot ->> ${sql.lit(path)}) collate "C" < ${ends.toISOString()}`

const invoices = (db: Db) =>
  db
    .selectFrom('issued_invoices as invoices')
    .leftJoin('payments as paid', (join) =>
      join.onRef('paid.order_id', '=', 'invoices.order_id').on('paid.is_invoiced', '=', true),
    )
    .select(['invoices.id', 'invoices.order_id', 'invoices.year', 'invoices.number', 'invoices.issued_at'])
    .select(['invoices.snapshot', CREDITED.as('credited_minor'), 'paid.id as payment_id'])
    .select(saleOperation('paid.id').as('operation_id'))

type ListOrder = { sorts: Record<string, SortKey>; id: Order['id'] }

type DocumentFilter = {
  between?: Between | undefined
  currency?: string | undefined
  treatment?: string | undefined
}

const isOf = ({ currency, treatment }: DocumentFilter) =>
  sql<boolean>`(${currency ?? null}::text is null or snapshot ->> 'currency' = ${currency ?? null})
    and (${treatment ?? null}::text is null or coalesce(snapshot #>> '{vat,treatment}', 'uk') = ${treatment ?? null})`

/** Of those paid between two instants, in no order. */
export const selectInvoices = (db: Db, filter: DocumentFilter) =>
  invoices(db)
    .$if(filter.between !== undefined, (query) => query.where(at('paidAt', filter.between as Between)))
    .where(isOf(filter))

export type ListedInvoice = InferResult<ReturnType<typeof invoices>>[number]

export const invoicesOrder = {
  sorts: { issuedAt: { by: sql`invoices.issued_at`, type: 'timestamptz' } },
  id: { by: sql`invoices.id`, type: 'uuid' },
} satisfies ListOrder

type Place = { year: number; number: number }

export const findInvoice = (db: Db, { year, number }: Place) =>
  invoices(db).where('year', '=', year).where('number', '=', number).executeTakeFirst()

/** The payment that an invoice was issued for. */
export const findInvoicedPayment = (db: Db, orderId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'customer_id', 'status', 'method', 'charged_minor', 'charged_currency', 'refunded_minor'])
    .where('order_id', '=', orderId)
    .where('is_invoiced', '=', true)
    .executeTakeFirst()

/** Of a lost dispute, the chargeback that the gateway booked. */
const REFUND_OPERATION = sql<string | null>`(
  select coalesce(gate_operation_id, (
    select operations.id from settlement_operations as operations
    where refunds.reason = 'dispute' and operations.payment_id = refunds.payment_id
      and operations.kind = 'chargeback' and operations.status = 'success'
      and -operations.initial_minor = refunds.amount_minor
    order by operations.completed_at desc limit 1))
  from refunds where refunds.id = credit_notes.refund_id)`

const creditNotes = (db: Db) =>
  db
    .selectFrom('issued_credit_notes as credit_notes')
    .select(['id', 'refund_id', 'payment_id', 'year', 'number', 'issued_at', 'snapshot'])
    .select(REFUND_OPERATION.as('operation_id'))

/** Of money that went back between two instants, in no order. */
export const selectCreditNotes = (db: Db, filter: DocumentFilter) =>
  creditNotes(db)
    .$if(filter.between !== undefined, (query) => query.where(at('refundedAt', filter.between as Between)))
    .where(isOf(filter))

export type ListedCreditNote = InferResult<ReturnType<typeof creditNotes>>[number]

export const creditNotesOrder = {
  sorts: { issuedAt: { by: sql`credit_notes.issued_at`, type: 'timestamptz' } },
  id: { by: sql`credit_notes.id`, type: 'uuid' },
} satisfies ListOrder

export const findCreditNote = (db: Db, { year, number }: Place) =>
  creditNotes(db).where('year', '=', year).where('number', '=', number).executeTakeFirst()

/** Those on an invoice, '2026-000042', of a payment, in the order of their numbers. */
export const listCreditNotesOn = (db: Db, paymentId: string, invoice: string) =>
  creditNotes(db)
    .where('payment_id', '=', paymentId)
    .where(sql`snapshot #>> '{invoice,number}'`, '=', invoice)
    .orderBy('year')
    .orderBy('number')
    .execute()
