import { sql } from 'kysely'
import type { Books } from '#accounting/month-end/pages.ts'
import type { InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'

/** Corrections of the month by their numbers, each with the invoice that it takes back, and what refunds had taken off that. */
export const listCorrections = (
  { db, month: { from, to, year }, pageRows }: Books,
  after?: { year: number; number: number },
) =>
  db
    .selectFrom('invoice_corrections as made')
    .leftJoin('issued_invoices as was', (join) =>
      join.onRef('was.year', '=', 'made.of_year').onRef('was.number', '=', 'made.of_number'),
    )
    .select([
      'made.year',
      'made.number',
      'made.credit_number',
      'made.order_id',
      'made.of_year',
      'made.of_number',
      'made.snapshot',
      'made.credit_snapshot',
      'was.order_id as was_order_id',
      sql<InvoiceSnapshot | null>`was.snapshot`.as('was'),
      sql<string>`(select coalesce(sum((snapshot ->> 'totalMinor')::bigint), 0)::text from credit_notes
        where payment_id = made.payment_id
          and snapshot #>> '{invoice,number}' = made.of_year || '-' || lpad(made.of_number::text, 6, '0'))`.as(
        'refunded_minor',
      ),
    ])
    .where('made.year', '>=', year - 1)
    .where('made.year', '<=', year + 1)
    .where(sql<Date>`(made.snapshot #>> '{correction,at}')::timestamptz`, '>=', from)
    .where(sql<Date>`(made.snapshot #>> '{correction,at}')::timestamptz`, '<', to)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(made.year, made.number) > (${after?.year ?? 0}, ${after?.number ?? 0})`),
    )
    .orderBy('made.year')
    .orderBy('made.number')
    .limit(pageRows)
    .execute()

export type CorrectionRow = Awaited<ReturnType<typeof listCorrections>>[number]
