import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** So many of each kind: whoever sees more types more. */
const MOST = 6

/** Text in which nothing stands for anything else. */
const literally = (words: string) => words.replace(/[\\%_]/g, '\\$&')
const beginningWith = (words: string) => `${literally(words)}%`

/** Fewer letters are no part of a word: they would fit half of all customers. */
const SHORTEST_PART = 3

/** In a word or, of two letters, at its beginning. */
const partOf = (words: string) =>
  words.length < SHORTEST_PART ? beginningWith(words) : `%${literally(words)}%`

type FoundCustomer = { id: string; email: string; created_at: Date }

/** By a part of the address, also a former one, or of a name. Each is looked for by itself: so each uses its index. */
export const findCustomersByWords = async (db: Db, words: string) => {
  const part = partOf(words)
  const small = partOf(words.toLowerCase())
  const newest = sql`order by created_at desc limit ${MOST}`
  const { rows } = await sql<FoundCustomer>`
    (select id, email, created_at from customers where email like ${small} ${newest})
    union (select id, email, created_at from customers where name ilike ${part} ${newest})
    union (select id, email, created_at from customers where (first_name || ' ' || last_name) ilike ${part} ${newest})
    union (select customers.id, email, customers.created_at from email_changes
      join customers on customers.id = customer_id where changed_at is not null and old_email like ${small} ${newest})
    ${newest}`.execute(db)
  return rows
}

/** Whatever has this id. */
export const findById = async (db: Db, id: string) => {
  const { rows } = await sql<{ kind: string; id: string; label: string }>`
    select 'customer' as kind, id::text, '' as label from customers where id = ${id}
    union all select 'order', id::text, status from orders where id = ${id}
    union all select 'connection', id::text, name from connections where id = ${id}
    union all select 'refund', payment_id, status from refunds where id = ${id}
    union all select 'conversation', id::text, kind from conversations where id = ${id}`.execute(db)
  return rows
}

/** By its own id, or by the gateway's id of the request that began it. */
export const findPayments = async (db: Db, words: string) => {
  const { rows } = await sql<{ id: string; status: string; charged_minor: number; charged_currency: string }>`
    select id, status, charged_minor, charged_currency from payments
    where id = ${words.toLowerCase()} or gate_request_id = ${words}
    union select payments.id, payments.status, charged_minor, charged_currency from refunds
      join payments on payments.id = payment_id where refunds.gate_request_id = ${words}
    limit ${MOST}`.execute(db)
  return rows
}

/** The newest of a sum, in a currency or in any. */
export const findPaymentsOfSum = async (db: Db, minor: number, currency: string | undefined) => {
  const { rows } = await sql<{
    id: string
    status: string
    charged_minor: number
    charged_currency: string
    created_at: Date
  }>`
    select id, status, charged_minor, charged_currency, created_at from payments
    where charged_minor = ${minor} and charged_currency = coalesce(${currency ?? null}::text, charged_currency)
    order by created_at desc limit ${MOST}`.execute(db)
  return rows
}

export const findInvoicePayments = async (db: Db, year: number | undefined, number: number) => {
  const { rows } = await sql<{
    kind: string
    year: number
    number: number
    order_id: string | null
    payment_id: string | null
  }>`
    select 'invoice' as kind, year, number, order_id::text, null as payment_id from issued_invoices
      where number = ${number} and (${year ?? null}::int is null or year = ${year ?? null})
    union all select 'credit note', year, number, null, payment_id from issued_credit_notes
      where number = ${number} and (${year ?? null}::int is null or year = ${year ?? null})
    order by year desc limit ${MOST}`.execute(db)
  return rows
}

export const findPromocodeOwner = async (db: Db, code: string) => {
  const { rows } = await sql<{ id: string; promocode: string }>`
    select id, promocode from customers where promocode = ${code.toUpperCase()}`.execute(db)
  return rows
}

export const findNodesByName = async (db: Db, words: string) => {
  const { rows } = await sql<{ name: string; endpoint: string }>`
    select name, endpoint from nodes where removed_at is null and lower(name) like ${beginningWith(words.toLowerCase())}
    order by name limit ${MOST}`.execute(db)
  return rows
}

/** Connections that have, or last had, a place in a node's pool. */
/** An IPv6 address of a server that was taken over may have another place than the IPv4 address beside it. */
export const findAtPosition = async (db: Db, nodeId: string, position: number, isIpv6: boolean) => {
  const { rows } = await sql<{ id: string; name: string }>`
    select connections.id, connections.name from peers join connections on connections.id = connection_id
    where node_id = ${nodeId} and ${isIpv6 ? sql`coalesce(ipv6_position, position)` : sql`position`} = ${position}
    order by peers.removed_at desc nulls first limit ${MOST}`.execute(db)
  return rows
}

export const listPools = async (db: Db) => {
  const { rows } = await sql<{ id: string; name: string; ipv4: string; ipv6: string }>`
    select id, name, ipv4, ipv6 from nodes where removed_at is null`.execute(db)
  return rows
}
