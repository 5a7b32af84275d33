import { randomBytes, randomUUID } from 'node:crypto'
import { isoDay } from '@hedgerow/domain/dates'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { splitVat } from '@hedgerow/domain/vat'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '#platform/database/client.ts'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import { type OpsOutcome, runOps } from '#testing/ops.ts'
import { cloneDatabase } from '#testing/test-database.ts'

type Shop = { db: Db }

export type Books = Shop & { databaseUrl: string; ops: (...args: string[]) => Promise<OpsOutcome> }

/** A shop's database that no shop runs on, as the accountant's commands need no more. It has no rate. */
export const openBooks = async (): Promise<Books> => {
  const { url, drop } = await cloneDatabase()
  const { db } = openDatabase(url, () => undefined, 2)
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  return { db, databaseUrl: url, ops: (...args) => runOps({ DATABASE_URL: url }, ...args) }
}

const ISSUER: InvoiceSnapshot['issuer'] = {
  name: 'Hedgerow',
  company: {
    legalName: 'Hedgerow Ltd',
    number: '01234567',
    registeredOffice: '1 Lane, London',
    vatNumber: 'GB123456789',
    email: 'a@example.org',
    phone: '',
  },
}

export type WrittenInvoice = { orderId: string; paymentId: string; snapshot: InvoiceSnapshot; name: string }

/** An invoice of any day, as if its order had been paid then. Sums that are left out are those of the total. */
export const anInvoice = async (
  { db }: Shop,
  { paidAt, totalMinor = 1200, vatRate = 20, ...rest }: Partial<InvoiceSnapshot> & { paidAt: string },
): Promise<WrittenInvoice> => {
  const [orderId, paymentId] = [randomUUID(), randomBytes(16).toString('hex')]
  const snapshot: InvoiceSnapshot = {
    issuer: ISSUER,
    paidAt,
    description: 'PURCHASE: Timed VPN connections',
    details: '3 connections for 31 days',
    method: 'Visa/Mastercard',
    pan: '400000******0077',
    cardHolder: 'ADA LOVELACE',
    authCode: '123456',
    currency: 'GBP',
    totalMinor,
    ...splitVat(totalMinor, vatRate),
    vatRate,
    ...rest,
  }
  const year = Number(isoDay(new Date(paidAt)).slice(0, 4))
  await sql`insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
    values (${orderId}, 31, 3, 0, ${totalMinor}, ${snapshot.currency}, 'Completed', now())`.execute(db)
  await sql`insert into payments (id, order_id, method, amount_minor, currency, charged_minor, charged_currency, status,
      is_invoiced, ended_at, delivered_at)
    values (${paymentId}, ${orderId}, 'card', ${totalMinor}, ${snapshot.currency}, ${totalMinor}, ${snapshot.currency},
      'Success', true, ${paidAt}::timestamptz, ${paidAt}::timestamptz)`.execute(db)
  const { rows } = await sql<{ number: number }>`
    insert into invoice_counters as known (year, last) values (${year}, 1)
    on conflict (year) do update set last = known.last + 1 returning last as number`.execute(db)
  const number = rows[0]?.number ?? 0
  await sql`insert into invoices (order_id, year, number, issued_at, snapshot)
    values (${orderId}, ${year}, ${number}, ${paidAt}::timestamptz, ${JSON.stringify(snapshot)}::jsonb)`.execute(
    db,
  )
  return { orderId, paymentId, snapshot, name: invoiceNumber(year, number) }
}

/** A credit note on it, for all of it or the sums that are said. */
export const aCreditNote = async (
  { db }: Shop,
  invoice: WrittenInvoice,
  { refundedAt, ...rest }: Partial<CreditNoteSnapshot> & { refundedAt: string },
): Promise<{ name: string }> => {
  const { orderId, paymentId, snapshot: of } = invoice
  const refundId = randomUUID()
  const sums = { totalMinor: of.totalMinor, netMinor: of.netMinor, vatMinor: of.vatMinor }
  const snapshot: CreditNoteSnapshot = {
    issuer: of.issuer,
    invoice: {
      orderId,
      number: invoice.name,
      issuedAt: of.paidAt,
    },
    refundedAt,
    reason: 'operator',
    description: of.description,
    details: of.details,
    method: of.method,
    pan: of.pan,
    currency: of.currency,
    vatRate: of.vatRate,
    ...sums,
    ...(of.buyer ? { buyer: of.buyer } : {}),
    ...(of.vat ? { vat: of.vat } : {}),
    ...(of.sterling ? { sterling: of.sterling } : {}),
    ...rest,
  }
  const year = Number(isoDay(new Date(refundedAt)).slice(0, 4))
  await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at, is_noted)
    values (${refundId}, ${paymentId}, ${snapshot.totalMinor}, 'operator', 'Success', ${refundedAt}::timestamptz, true)`.execute(
    db,
  )
  const { rows } = await sql<{ number: number }>`
    insert into credit_note_counters as known (year, last) values (${year}, 1)
    on conflict (year) do update set last = known.last + 1 returning last as number`.execute(db)
  const number = rows[0]?.number ?? 0
  await sql`insert into credit_notes (refund_id, payment_id, year, number, issued_at, snapshot)
    values (${refundId}, ${paymentId}, ${year}, ${number}, ${refundedAt}::timestamptz, ${JSON.stringify(snapshot)}::jsonb)`.execute(
    db,
  )
  return { name: creditNoteNumber(year, number) }
}
