import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'

/** The invoice of a payment that counts. To be called with the payment held. */
export const findLiveInvoice = (trx: Trx, paymentId: string) =>
  trx
    .selectFrom('payments')
    .innerJoin('live_invoices', 'live_invoices.order_id', 'payments.order_id')
    .select([
      'payments.order_id',
      'payments.charged_minor',
      'live_invoices.year',
      'live_invoices.number',
      'live_invoices.issued_at',
      'live_invoices.snapshot',
      'live_invoices.noted_minor',
    ])
    .where('payments.id', '=', paymentId)
    .where('payments.is_invoiced', '=', true)
    .executeTakeFirst()

export type LiveInvoice = NonNullable<Awaited<ReturnType<typeof findLiveInvoice>>>

/** The payment that an invoice of that number is of, whether it still counts or not. */
export const findPaymentOf = (db: Db, { year, number }: { year: number; number: number }) =>
  db
    .selectFrom('issued_invoices')
    .innerJoin('payments', (join) =>
      join.onRef('payments.order_id', '=', 'issued_invoices.order_id').on('payments.is_invoiced', '=', true),
    )
    .select(['payments.id', 'issued_invoices.snapshot'])
    .where('issued_invoices.year', '=', year)
    .where('issued_invoices.number', '=', number)
    .executeTakeFirst()

/** What credit notes of refunds took off an invoice, '2026-000042'. */
export const listCreditsOn = async (trx: Trx, paymentId: string, invoice: string) =>
  (
    await trx
      .selectFrom('credit_notes')
      .select('snapshot')
      .where('payment_id', '=', paymentId)
      .where(sql`snapshot #>> '{invoice,number}'`, '=', invoice)
      .execute()
  ).map(({ snapshot }) => snapshot)

type NewCorrection = {
  paymentId: string
  orderId: string
  of: { year: number; number: number }
  notedMinor: number
  year: number
  note: { number: number; snapshot: CreditNoteSnapshot }
  invoice: { number: number; snapshot: InvoiceSnapshot }
}

/** To be called with both counters of the year locked. Returns its id. */
export const insertCorrection = async (
  trx: Trx,
  { paymentId, orderId, of, notedMinor, year, note, invoice }: NewCorrection,
): Promise<string> => {
  const id = randomUUID()
  await trx
    .insertInto('invoice_corrections')
    .values({
      id,
      order_id: orderId,
      payment_id: paymentId,
      of_year: of.year,
      of_number: of.number,
      noted_minor: notedMinor,
      credit_snapshot: JSON.stringify(note.snapshot),
      credit_number: note.number,
      year,
      number: invoice.number,
      snapshot: JSON.stringify(invoice.snapshot),
    })
    .execute()
  await trx.updateTable('invoice_counters').set({ last: invoice.number }).where('year', '=', year).execute()
  await trx.updateTable('credit_note_counters').set({ last: note.number }).where('year', '=', year).execute()
  return id
}

type NewRestored = Omit<NewCorrection, 'note'> & {
  refundId: string
  note: NewCorrection['note'] | undefined
}

/** To be called with the counters of the year locked. Returns its id. */
export const insertRestored = async (
  trx: Trx,
  { refundId, paymentId, orderId, of, notedMinor, year, note, invoice }: NewRestored,
): Promise<string> => {
  const { id } = await trx
    .insertInto('restored_invoices')
    .values({
      refund_id: refundId,
      order_id: orderId,
      payment_id: paymentId,
      of_year: of.year,
      of_number: of.number,
      noted_minor: notedMinor,
      credit_snapshot: note ? JSON.stringify(note.snapshot) : null,
      credit_number: note?.number ?? null,
      year,
      number: invoice.number,
      snapshot: JSON.stringify(invoice.snapshot),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.updateTable('invoice_counters').set({ last: invoice.number }).where('year', '=', year).execute()
  if (note)
    await trx
      .updateTable('credit_note_counters')
      .set({ last: note.number })
      .where('year', '=', year)
      .execute()
  return id
}

/** Whether the payment bought something and its invoice is not issued yet. */
export const isInvoiceDue = async (trx: Trx, paymentId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('status', '=', 'Success')
    .where('refund_due', '=', false)
    .where('is_invoiced', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

const replacementsOf = (db: Db) =>
  db
    .selectFrom('invoice_corrections')
    .select(['id', 'payment_id', 'year', 'number', 'issued_at', 'snapshot', 'noted_minor'])
    .select(['of_year', 'of_number', sql<number | null>`credit_number`.as('credit_number')])
    .select([
      sql<CreditNoteSnapshot | null>`credit_snapshot`.as('credit_snapshot'),
      sql<string | null>`null::uuid`.as('refund_id'),
    ])
    .unionAll(
      db
        .selectFrom('restored_invoices')
        .select(['id', 'payment_id', 'year', 'number', 'issued_at', 'snapshot', 'noted_minor'])
        .select(['of_year', 'of_number', 'credit_number'])
        .select([sql<CreditNoteSnapshot | null>`credit_snapshot`.as('credit_snapshot'), 'refund_id']),
    )

/** What took the place of the invoices of some payments, the oldest first. */
export const listReplacements = (db: Db, paymentIds: readonly string[]) =>
  paymentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom(replacementsOf(db).as('made'))
        .selectAll()
        .where('payment_id', 'in', paymentIds)
        .orderBy('issued_at')
        .execute()

/** With whom it is mailed to. Nothing when the account is erased. */
export const findCorrectionToMail = (db: Db, id: string) =>
  db
    .selectFrom(replacementsOf(db).as('made'))
    .innerJoin('payments', 'payments.id', 'made.payment_id')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .selectAll('made')
    .select(['customers.name', 'customers.email'])
    .where('made.id', '=', id)
    .executeTakeFirst()
