import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'

/** Where the last batch ended. */
export type DocumentPlace = { year: number; number: number }

/** Instants as snapshots have them (ISO 8601, in UTC): their order is that of their text. The years are those of the numbers. */
export type TaxPoints = { begins: string; ends: string; firstYear: number; lastYear: number }

export type InvoiceRow = DocumentPlace & { order_id: string; issued_at: Date; snapshot: InvoiceSnapshot }

const within = (at: RawBuilder<string>, { begins, ends }: TaxPoints) =>
  sql<boolean>`${at} collate "C" >= ${begins} and ${at} collate "C" < ${ends}`

const after = (place: DocumentPlace | undefined, table: string) =>
  place
    ? sql<boolean>`(${sql.ref(`${table}.year`)}, ${sql.ref(`${table}.number`)}) > (${place.year}::int, ${place.number}::int)`
    : sql<boolean>`true`

/** The payment; of an invoice in the place of another the correction, so that a return that was made stays as it was. */
const BOOKED_AT = sql<string>`coalesce(snapshot #>> '{correction,at}', snapshot ->> 'paidAt')`

/** Those that the books count within the range, in the order of their numbers. */
export const listInvoicesAfter = (
  db: Db,
  points: TaxPoints,
  place: DocumentPlace | undefined,
  limit: number,
): Promise<InvoiceRow[]> =>
  db
    .selectFrom('issued_invoices as invoices')
    .select(['order_id', 'year', 'number', 'issued_at', 'snapshot'])
    .where('year', '>=', points.firstYear)
    .where('year', '<=', points.lastYear)
    .where(within(BOOKED_AT, points))
    .where(after(place, 'invoices'))
    .orderBy('year')
    .orderBy('number')
    .limit(limit)
    .execute()

export type CreditNoteRow = DocumentPlace & {
  refund_id: string | null
  payment_id: string
  issued_at: Date
  snapshot: CreditNoteSnapshot
  /** Of the sale. Null once its invoice need not be kept any more. */
  paid_at: string | null
  /** What credit notes before it took off the same invoice; given only where it says nothing in pounds itself. */
  net_before: string | null
  vat_before: string | null
}

/** Sums of earlier credit notes on the same invoice, for one that was in another currency and has no sterling. */
const before = (name: 'netMinor' | 'vatMinor') => sql<string | null>`
  case when credit_notes.snapshot -> 'sterling' is null and credit_notes.snapshot ->> 'currency' <> 'GBP' then (
    select coalesce(sum((earlier.snapshot ->> ${sql.lit(name)})::bigint), 0)::text from issued_credit_notes as earlier
    where earlier.payment_id = credit_notes.payment_id
      and earlier.snapshot #>> '{invoice,number}' = credit_notes.snapshot #>> '{invoice,number}'
      and (earlier.year, earlier.number) < (credit_notes.year, credit_notes.number)) end`

/** Those whose money went back within the range, in the order of their numbers. */
export const listCreditNotesAfter = (
  db: Db,
  points: TaxPoints,
  place: DocumentPlace | undefined,
  limit: number,
): Promise<CreditNoteRow[]> =>
  db
    .selectFrom('issued_credit_notes as credit_notes')
    .leftJoin('invoices', (join) =>
      join.on(sql<boolean>`invoices.order_id = (credit_notes.snapshot -> 'invoice' ->> 'orderId')::uuid`),
    )
    .select([
      'credit_notes.refund_id',
      'credit_notes.payment_id',
      'credit_notes.year',
      'credit_notes.number',
      'credit_notes.issued_at',
      'credit_notes.snapshot',
      sql<string | null>`invoices.snapshot ->> 'paidAt'`.as('paid_at'),
      before('netMinor').as('net_before'),
      before('vatMinor').as('vat_before'),
    ])
    .where('credit_notes.year', '>=', points.firstYear)
    .where('credit_notes.year', '<=', points.lastYear)
    .where(within(sql<string>`(credit_notes.snapshot ->> 'refundedAt')`, points))
    .where(after(place, 'credit_notes'))
    .orderBy('credit_notes.year')
    .orderBy('credit_notes.number')
    .limit(limit)
    .execute()

/** What was paid for, or went back, between two instants, and has no invoice or credit note yet. */
export const countUnwritten = async (db: Db, begins: Date, ends: Date) => {
  const { rows } = await sql<{ invoices: number; credit_notes: number }>`
    select
      (select count(*)::int from payments where status = 'Success' and not refund_due and not is_invoiced
        and ended_at >= ${begins} and ended_at < ${ends}) as invoices,
      (select count(*)::int from refunds join payments on payments.id = refunds.payment_id
        where refunds.status = 'Success' and not is_noted and is_invoiced
          and refunds.ended_at >= ${begins} and refunds.ended_at < ${ends}) as credit_notes`.execute(db)
  return rows[0] ?? { invoices: 0, credit_notes: 0 }
}
