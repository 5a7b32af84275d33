import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { liveInvoice } from '#sales/invoices/live-invoice.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** So many rows of a kind are evidence; more would not be read. */
const MOST = 200

/** The payment, what it was for, and who paid. */
export const findPurchase = (db: Db, paymentId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .leftJoin('customers', 'customers.id', 'payments.customer_id')
    .leftJoinLateral(liveInvoice, (join) => join.onTrue())
    .leftJoin('terms', 'terms.hash', 'payments.terms_hash')
    .selectAll('payments')
    .select([
      'terms.version as terms_version',
      'orders.days',
      'orders.connections',
      'orders.options',
      'orders.plan_name',
      'orders.plan_period',
      'orders.created_at as ordered_at',
      RENEWED,
      'customers.email',
      'customers.name',
      'customers.created_at as signed_up_at',
      'customers.confirmed_at',
      'customers.terms_accepted_at',
      'invoices.year as invoice_year',
      'invoices.number as invoice_number',
      'invoices.issued_at as invoice_issued_at',
      'invoices.snapshot',
    ])
    .where('payments.id', '=', paymentId)
    .executeTakeFirst()

export type EvidencePurchase = NonNullable<Awaited<ReturnType<typeof findPurchase>>>

/** Every attempt to pay the order, the oldest first. */
export const listAttempts = (db: Db, orderId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'created_at', 'ended_at', 'status', 'gate_code', 'pan_masked', 'method'])
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .limit(MOST)
    .execute()

/**
 * Other payments of this account by this card that went through, and were neither disputed nor refunded: whether from the
 * same network, where both are known.
 */
export const listEarlier = async (db: Db, paymentId: string) => {
  const { rows } = await sql<{
    id: string
    ended_at: Date
    charged_minor: number
    charged_currency: string
    is_same_network: boolean | null
  }>`
    select earlier.id, earlier.ended_at, earlier.charged_minor, earlier.charged_currency,
      earlier.network_hash = this.network_hash as is_same_network
    from payments as this join payments as earlier
      on earlier.customer_id = this.customer_id and earlier.pan_masked = this.pan_masked and earlier.id <> this.id
    where this.id = ${paymentId} and earlier.status = 'Success' and earlier.refunded_minor = 0
      and earlier.ended_at < this.ended_at
      and not exists (select from disputes where payment_id = earlier.id)
    order by earlier.ended_at desc limit ${sql.lit(MOST)}`.execute(db)
  return rows
}

/** What the payment made or extended: since when, until when, where, and on which days it was first and last used. */
export const listDelivered = async (db: Db, paymentId: string) => {
  const { rows } = await sql<{
    name: string
    made_at: Date
    is_renewal: boolean
    expires_at: Date | null
    location: string | null
    keys: number
    first_on: string | null
    last_on: string | null
  }>`
    with bought as (
      select id, created_at as made_at, false as is_renewal from connections where payment_id = ${paymentId}
      union all
      select connection_id, created_at, true from renewals where payment_id = ${paymentId}
    )
    select connections.name, bought.made_at, is_renewal, expires_at,
      (select nodes.name from peers join nodes on nodes.id = node_id
        where connection_id = connections.id and replaced_at is null limit 1) as location,
      (select count(*)::int from peers where connection_id = connections.id) as keys,
      (select to_char(min(coalesce(first_connected_on, connected_on)), 'DD/MM/YYYY') from peers
        where connection_id = connections.id) as first_on,
      (select to_char(max(connected_on), 'DD/MM/YYYY') from peers where connection_id = connections.id) as last_on
    from bought join connections using (id)
    order by bought.made_at, ordinal limit ${sql.lit(MOST)}`.execute(db)
  return rows
}

export const listEvents = (db: Db, customerId: string) =>
  db
    .selectFrom('security_events')
    .select(['kind', 'browser', 'network', 'times', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute()

/** What was written to the support and back, the oldest first of the newest. */
export const listWords = async (db: Db, customerId: string) => {
  const rows = await db
    .selectFrom('conversation_messages')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .select(['conversation_messages.created_at', 'author', 'text'])
    .where('conversations.customer_id', '=', customerId)
    .where('conversations.kind', '=', 'support')
    .orderBy('conversation_messages.created_at', 'desc')
    .limit(MOST)
    .execute()
  return rows.reverse()
}

/** Cancellations that were said without a log-in in the name of the account's address. */
export const listStatements = (db: Db, email: string) =>
  db
    .selectFrom('cancellation_statements')
    .select(['received_at', 'contract', 'message'])
    .where(sql`lower(email)`, '=', email)
    .orderBy('received_at')
    .limit(MOST)
    .execute()

export const listNotes = (db: Db, paymentId: string) =>
  db
    .selectFrom('credit_notes')
    .select(['refund_id', 'year', 'number'])
    .where('payment_id', '=', paymentId)
    .execute()
