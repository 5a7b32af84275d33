import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readKept } from '@hedgerow/sandbox/mail/read-arrival'
import { type RawBuilder, sql } from 'kysely'
import { ATTENTION_ITEMS, isAttentionItem } from '#care/telemetry/attention-items.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import type { Db } from '#platform/database/client.ts'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'
import type { BookEntry } from '#testing/torture/books.ts'
import type { History } from '#testing/torture/history.ts'

export type OrderFact = {
  id: string
  status: string
  total_minor: number
  currency: string
  connections: number
  days: number
  renews: string[]
  plan_id: string | null
  location_id: string | null
  location_is_chosen: boolean
  delivered_location_id: string | null
}
export type PaymentFact = {
  id: string
  order_id: string
  customer_id: string
  gateway: string
  method: string
  status: string
  charged_minor: number
  charged_currency: string
  refunded_minor: number
  refund_due: boolean
  is_invoiced: boolean
  cancelled_at: Date | null
  is_delivered: boolean
  is_abandoned: boolean
  has_ended: boolean
}
export type ConnectionFact = {
  id: string
  payment_id: string
  ordinal: number
  node_id: string
  address: string
  public_key: string
  is_free_too: boolean
  has_ended: boolean
  created_at: Date
  expires_at: Date | null
}
export type RenewalFact = { payment_id: string; connection_id: string; created_at: Date }
export type RefundFact = {
  id: string
  payment_id: string
  amount_minor: number
  status: string
  is_by_hand: boolean
  is_closed: boolean
  gate_operation_id: string | null
}
/** What is numbered, and the tax that it states. */
type DocumentFact = {
  /** As it is printed. */
  name: string
  year: number
  number: number
  last: number
  total_minor: number
  net_minor: number
  vat_minor: number
  vat_rate: number
  treatment: string
  country: string | null
}
export type InvoiceFact = DocumentFact & {
  order_id: string
  /** Of a correction: the invoice in whose place it stands, and the credit note that took that back. */
  corrects: string | null
  by_note: string | null
  /** No other stands in its place. */
  is_live: boolean
}
/** `refund_id`: null of a correction. `invoice`: what it is taken off. */
export type CreditNoteFact = DocumentFact & { refund_id: string | null; payment_id: string; invoice: string }
export type EarningFact = {
  payment_id: string
  amount_minor: number
  /** What refunds want back of it. */
  due_back_minor: number
  is_own_card: boolean
}
export type JobFact = { id: string; task: string; attempts: number; last_error: string | null }
export type MailFact = { to: string; subject: string; messageId: string | undefined }

/** All that is true at the end: the shop's database, the gateway's books, the mails, and what customers saw. */
export type Evidence = {
  orders: OrderFact[]
  payments: PaymentFact[]
  connections: ConnectionFact[]
  renewals: RenewalFact[]
  /** Customers with how many connections they were counted, and have. */
  customers: { id: string; made: number; have: number }[]
  refunds: RefundFact[]
  invoices: InvoiceFact[]
  creditNotes: CreditNoteFact[]
  earnings: EarningFact[]
  jobs: JobFact[]
  /** Where the partners' books disagree; and payments that were not credited. */
  partnerFaults: string[]
  uncredited: string[]
  /** Payments in the operator's list of things to do. */
  waiting: ReadonlySet<string>
  books: BookEntry[]
  mails: MailFact[]
  shownStatuses: ReadonlyMap<string, ReadonlySet<string>>
  said: History['said']
}

const all = async <T>(db: Db, query: RawBuilder<T>): Promise<T[]> => (await query.execute(db)).rows

const listWaiting = async (db: Db): Promise<string[]> => {
  const found = []
  for (const item of ATTENTION_ITEMS)
    found.push(
      ...(await all(db, sql<{ id: string }>`select id from payments where ${isAttentionItem(item)}`)),
    )
  return found.map(({ id }) => id)
}

const TAX = sql`(snapshot->>'totalMinor')::int as total_minor, (snapshot->>'netMinor')::int as net_minor,
  (snapshot->>'vatMinor')::int as vat_minor, (snapshot->>'vatRate')::float8 as vat_rate,
  snapshot->'vat'->>'treatment' as treatment, snapshot->'vat'->>'country' as country`

const nameOf = (series: string) => sql`${series}::text || year || '-' || lpad(number::text, 6, '0')`

export const readDatabase = async (db: Db) => ({
  orders: await all(
    db,
    sql<OrderFact>`select id, status, total_minor, currency, connections, days, renews, plan_id, location_id,
      location_is_chosen, delivered_location_id from orders`,
  ),
  payments: await all(
    db,
    sql<PaymentFact>`select id, order_id, customer_id, gateway, method, status, charged_minor, charged_currency, refunded_minor,
      refund_due, is_invoiced, cancelled_at, delivered_at is not null as is_delivered, abandoned_at is not null as is_abandoned,
      ended_at is not null as has_ended from payments`,
  ),
  connections: await all(
    db,
    sql<ConnectionFact>`select connections.id, payment_id, ordinal, node_id, node_id || ' ' || position as address, public_key,
      removed_at is null and exists (select from free_addresses as free where free.node_id = peers.node_id
        and free.position = peers.position) as is_free_too,
      coalesce(expires_at <= now(), false) as has_ended, connections.created_at, expires_at
      from connections join peers on connection_id = connections.id and replaced_at is null`,
  ),
  renewals: await all(db, sql<RenewalFact>`select payment_id, connection_id, created_at from renewals`),
  customers: await all(
    db,
    sql<Evidence['customers'][number]>`select id, connections_made as made,
      (select count(*)::int from connections where customer_id = customers.id) as have from customers`,
  ),
  refunds: await all(
    db,
    sql<RefundFact>`select id, payment_id, amount_minor, status, is_by_hand, closed_at is not null as is_closed,
      gate_operation_id from refunds`,
  ),
  invoices: await all(
    db,
    sql<InvoiceFact>`select ${nameOf('')} as name, order_id, year, number, last, ${TAX},
      snapshot #>> '{correction,invoice}' as corrects, snapshot #>> '{correction,creditNote}' as by_note,
      (year, number) in (select year, number from live_invoices) as is_live
      from issued_invoices join invoice_counters using (year)`,
  ),
  creditNotes: await all(
    db,
    sql<CreditNoteFact>`select ${nameOf('CN-')} as name, refund_id, payment_id, year, number, last, ${TAX},
      snapshot #>> '{invoice,number}' as invoice
      from issued_credit_notes join credit_note_counters using (year)`,
  ),
  earnings: await all(
    db,
    sql<EarningFact>`select payment_id, amount_minor, due_back_minor, is_own_card from earnings`,
  ),
  partnerFaults: (await checkBooks({ db })).map(
    ({ what, partner_id, about, has, should }) =>
      `${what}: ${about ?? partner_id ?? ''}, ${has} instead of ${should}`,
  ),
  uncredited: (
    await all(
      db,
      sql<{ id: string }>`select id from payments
        where status = 'Success' and partner_id is not null and not refund_due and not is_credited`,
    )
  ).map(({ id }) => id),
  waiting: new Set(await listWaiting(db)),
  jobs: await all(
    db,
    sql<JobFact>`select id, task_identifier as task, attempts, last_error from graphile_worker.jobs
      where task_identifier <> all(${[...RECURRING_JOBS]}::text[])`,
  ),
})

/** From the sandbox's file, once it has ended: its pages show the newest only. */
export const readMails = async (sandboxDir: string): Promise<MailFact[]> => {
  const file = join(sandboxDir, 'mails.jsonl')
  if (!existsSync(file)) return []
  const mails: MailFact[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { to, subject, messageId } = await readKept(JSON.parse(line))
    mails.push({ to: to.join(', '), subject, messageId })
  }
  return mails
}
