import { sql } from 'kysely'
import type { Books } from '#accounting/month-end/pages.ts'
import type { Db } from '#platform/database/client.ts'
import type { CreditNoteSnapshot } from '#platform/database/tables/invoices.table.ts'

/** Payments of which money went back in the month, or came back of a lost dispute, by their ids, with the invoices that some of them have. */
export const listRefundedPayments = ({ db, month: { from, to }, pageRows }: Books, after?: { id: string }) =>
  db
    .selectFrom('payments')
    .leftJoin('invoices', (join) =>
      join.onRef('invoices.order_id', '=', 'payments.order_id').on('payments.is_invoiced', '=', true),
    )
    .select([
      'payments.id',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.refunded_minor',
      'invoices.snapshot',
      'invoices.year',
      'invoices.number',
    ])
    .where(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.payment_id', '=', 'payments.id')
            .where('reversed_at', '>=', from)
            .where('reversed_at', '<', to),
        ),
        exists(
          selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.payment_id', '=', 'payments.id')
            .where('refunds.status', '=', 'Success')
            .where('refunds.ended_at', '>=', from)
            .where('refunds.ended_at', '<', to),
        ),
      ]),
    )
    .$if(after !== undefined, (query) => query.where('payments.id', '>', after?.id ?? ''))
    .orderBy('payments.id')
    .limit(pageRows)
    .execute()

export type RefundedPayment = Awaited<ReturnType<typeof listRefundedPayments>>[number]

/** All that ever went back of a payment, in the order in which it did, with the credit notes. */
export const listRefundsWithNotes = (db: Db, paymentId: string) =>
  db
    .selectFrom('refunds')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'refunds.id')
    .leftJoin('disputes', 'disputes.refund_id', 'refunds.id')
    .select([
      'refunds.id',
      'refunds.amount_minor',
      'refunds.ended_at',
      'refunds.noted_before_minor',
      'disputes.vat as dispute_vat',
      'disputes.reversed_at',
      'credit_notes.year',
      'credit_notes.number',
      'credit_notes.snapshot',
    ])
    .where('refunds.payment_id', '=', paymentId)
    .where('refunds.status', '=', 'Success')
    .orderBy('refunds.ended_at')
    .orderBy('refunds.id')
    .execute()

export type RefundWithNote = Awaited<ReturnType<typeof listRefundsWithNotes>>[number]

const refundedAt = sql<Date>`(credit_notes.snapshot ->> 'refundedAt')::timestamptz`

/** Credit notes that say they are of the month, by their numbers, each with its refund and the invoice that it names. */
export const listNotesSaidOf = (
  { db, month: { from, to, year }, pageRows }: Books,
  after?: { year: number; number: number },
) =>
  db
    .selectFrom('credit_notes')
    .innerJoin('refunds', 'refunds.id', 'credit_notes.refund_id')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    // By its number; one that names none of its order's is told from the first.
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('issued_invoices')
          .selectAll()
          .where(sql<boolean>`order_id = (credit_notes.snapshot #>> '{invoice,orderId}')::uuid`)
          .orderBy(
            sql`(year || '-' || lpad(number::text, 6, '0')) = credit_notes.snapshot #>> '{invoice,number}'`,
            'desc',
          )
          .orderBy('issued_at')
          .limit(1)
          .as('invoices'),
      (join) => join.onTrue(),
    )
    .select([
      'credit_notes.year',
      'credit_notes.number',
      sql<CreditNoteSnapshot>`credit_notes.snapshot`.as('snapshot'),
      'refunds.status',
      'refunds.ended_at',
      'payments.is_invoiced',
      'payments.order_id',
      'invoices.order_id as invoice_order_id',
      'invoices.year as invoice_year',
      'invoices.number as invoice_number',
      'invoices.snapshot as invoice',
    ])
    .where('credit_notes.year', '>=', year - 1)
    .where('credit_notes.year', '<=', year + 1)
    .where(refundedAt, '>=', from)
    .where(refundedAt, '<', to)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(credit_notes.year, credit_notes.number) > (${after?.year ?? 0}, ${after?.number ?? 0})`,
      ),
    )
    .orderBy('credit_notes.year')
    .orderBy('credit_notes.number')
    .limit(pageRows)
    .execute()

export type NoteRow = Awaited<ReturnType<typeof listNotesSaidOf>>[number]
