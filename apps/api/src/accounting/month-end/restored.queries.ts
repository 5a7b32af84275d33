import { sql } from 'kysely'
import type { Books } from '#accounting/month-end/pages.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'

/** Disputes that were reversed in the month, each with the credit note of its loss and the invoice that it restored. */
export const listReversed = ({ db, month: { from, to }, pageRows }: Books, after?: { id: string }) =>
  db
    .selectFrom('disputes')
    .leftJoin('credit_notes as note', 'note.refund_id', 'disputes.refund_id')
    .leftJoin('restored_invoices as made', 'made.refund_id', 'disputes.refund_id')
    .leftJoin('issued_invoices as was', (join) =>
      join.onRef('was.year', '=', 'made.of_year').onRef('was.number', '=', 'made.of_number'),
    )
    .select(['disputes.id', 'note.year as lost_year', 'note.number as lost_number'])
    .select(['made.year', 'made.of_year', 'made.of_number', 'made.credit_number'])
    .select([
      sql<CreditNoteSnapshot | null>`note.snapshot`.as('lost'),
      sql<InvoiceSnapshot | null>`made.snapshot`.as('restored'),
      sql<CreditNoteSnapshot | null>`made.credit_snapshot`.as('credit'),
      sql<InvoiceSnapshot | null>`was.snapshot`.as('was'),
      sql<string>`(select coalesce(sum((snapshot ->> 'totalMinor')::bigint), 0)::text from credit_notes
        where payment_id = made.payment_id
          and snapshot #>> '{invoice,number}' = made.of_year || '-' || lpad(made.of_number::text, 6, '0'))`.as(
        'credited_minor',
      ),
    ])
    .where('reversed_at', '>=', from)
    .where('reversed_at', '<', to)
    .$if(after !== undefined, (query) => query.where('disputes.id', '>', after?.id ?? ''))
    .orderBy('disputes.id')
    .limit(pageRows)
    .execute()

export type ReversedRow = Awaited<ReturnType<typeof listReversed>>[number]
