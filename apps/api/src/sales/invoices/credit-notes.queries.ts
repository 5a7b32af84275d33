import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { CreditNoteSnapshot } from '#platform/database/tables/invoices.table.ts'
import { liveInvoice } from '#sales/invoices/live-invoice.ts'

/** The day that decides the year is London's. */
const refundedYear = sql<number>`extract(year from refunds.ended_at at time zone 'Europe/London')::integer`

/**
 * Refunds of which it is not settled yet what they mean to the books; of one payment in the order in which they ended. With
 * the payment's own invoice: of an order that was paid twice, one payment has it, and the other bought nothing.
 */
const toNote = (db: Db) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoinLateral(liveInvoice, (join) => join.onTrue())
    .select([
      'refunds.id as refund_id',
      'refunds.payment_id',
      'refunds.amount_minor',
      'refunds.reason',
      'refunds.ended_at',
      refundedYear.as('year'),
      'payments.is_invoiced',
      'payments.status',
      'payments.refund_due',
      'payments.charged_minor',
      'payments.charged_currency',
      'invoices.order_id',
      'invoices.year as invoice_year',
      'invoices.number as invoice_number',
      'invoices.issued_at as invoice_issued_at',
      'invoices.snapshot',
      'invoices.noted_minor',
    ])
    .where('refunds.status', '=', 'Success')
    .where('refunds.is_noted', '=', false)
    .orderBy('refunds.ended_at')
    .orderBy('refunds.id')

export type RefundToNote = Awaited<ReturnType<typeof listToNote>>[number]

/** What waits for its invoice comes with it, and is left out, as are those that failed just now. */
export const listToNote = (db: Db, limit: number, failed: readonly string[] = []) =>
  toNote(db)
    .$if(failed.length > 0, (query) => query.where('refunds.id', 'not in', failed))
    .where(({ or, eb }) =>
      or([
        eb('payments.is_invoiced', '=', true),
        eb('payments.refund_due', '=', true),
        eb('payments.status', '<>', 'Success'),
      ]),
    )
    .limit(limit)
    .execute()

/** Of one payment; with `refundId` only that refund. */
export const listToNoteOf = (db: Db, paymentId: string, refundId?: string) =>
  toNote(db)
    .where('refunds.payment_id', '=', paymentId)
    .$if(refundId !== undefined, (query) => query.where('refunds.id', '=', refundId ?? ''))
    .execute()

/** Waits until no other transaction notes refunds of the payment: its notes may be of two years, whose counters are locked apart. */
export const holdPayment = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx.selectFrom('payments').select('id').where('id', '=', paymentId).forNoKeyUpdate().execute()
}

/** What had gone back of a payment in refunds that have been settled in the books, less what came back of lost disputes. */
export const notedMinor = (paymentId: string) => sql<number>`(
  select coalesce(sum(amount_minor), 0)::integer from refunds
  where payment_id = ${paymentId} and status = 'Success' and is_noted
    and not exists (select from disputes where refund_id = refunds.id and reversed_at is not null))`

/** The same, in the charged currency. */
export const notedOf = async (trx: Trx, paymentId: string): Promise<number> =>
  (await trx.selectNoFrom(notedMinor(paymentId).as('noted')).executeTakeFirstOrThrow()).noted

/** True once: the first that marks it makes its note. `before`: what had been noted of its payment by then. */
export const markNoted = async (trx: Trx, refundId: string, before: number): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('refunds')
    .set({ is_noted: true, noted_before_minor: before })
    .where('id', '=', refundId)
    .where('is_noted', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type NewNote = {
  refundId: string
  paymentId: string
  year: number
  number: number
  snapshot: CreditNoteSnapshot
}

/** To be called with the year's counter locked. */
export const insertNote = async (
  trx: Trx,
  { refundId, paymentId, year, number, snapshot }: NewNote,
): Promise<void> => {
  await trx
    .insertInto('credit_notes')
    .values({ refund_id: refundId, payment_id: paymentId, year, number, snapshot: JSON.stringify(snapshot) })
    .execute()
  await trx.updateTable('credit_note_counters').set({ last: number }).where('year', '=', year).execute()
}

export const findNote = (db: Db, refundId: string) =>
  db.selectFrom('credit_notes').selectAll().where('refund_id', '=', refundId).executeTakeFirst()

/** A refund of that customer's, with its credit note if it has one. */
export const findNoteOf = (db: Db, customerId: string, refundId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'refunds.id')
    .select([
      'refunds.status',
      'refunds.is_noted',
      'refunds.payment_id',
      'payments.order_id',
      'credit_notes.year',
      'credit_notes.number',
      'credit_notes.issued_at',
      'credit_notes.snapshot',
    ])
    .where('refunds.id', '=', refundId)
    .where('payments.customer_id', '=', customerId)
    .executeTakeFirst()

/** That of a correction, of an invoice of that customer's. */
export const findCorrectionNoteOf = (db: Db, customerId: string, correctionId: string) =>
  db
    .selectFrom('issued_credit_notes as credit_notes')
    .innerJoin('payments', 'payments.id', 'credit_notes.payment_id')
    .select(['credit_notes.year', 'credit_notes.number', 'credit_notes.issued_at', 'credit_notes.snapshot'])
    .where('credit_notes.id', '=', correctionId)
    .where('payments.customer_id', '=', customerId)
    .executeTakeFirst()

/** Of some payments: which refund has which. */
export const listNoteNumbers = (db: Db, paymentIds: readonly string[]) =>
  paymentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('credit_notes')
        .select(['refund_id', 'year', 'number'])
        .where('payment_id', 'in', paymentIds)
        .execute()

/** Every credit note of a customer's payments, in the order in which they were numbered. */
export const listNotesOf = (db: Db, customerId: string) =>
  db
    .selectFrom('issued_credit_notes as credit_notes')
    .innerJoin('payments', 'payments.id', 'credit_notes.payment_id')
    .selectAll('credit_notes')
    .where('payments.customer_id', '=', customerId)
    .orderBy('credit_notes.year')
    .orderBy('credit_notes.number')
    .execute()
