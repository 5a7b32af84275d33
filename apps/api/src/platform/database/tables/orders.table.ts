import type { CurrencyCode } from '@hedgerow/domain/money'
import type { OrderStatus } from '@hedgerow/domain/order-status'
import type { ColumnType, Generated, Selectable } from 'kysely'

export type OrdersTable = {
  id: string
  /** Null: what it buys never ends, as some plans do not; or it buys nothing. */
  days: number | null
  /** Null: the account was erased. */
  customer_id: string | null
  /** 0: it only holds a payment of a purchase that is not known here, which goes back. */
  connections: number
  /** The features that were chosen, as a mask (domain/pricing). */
  options: number
  /** The plan that was ordered, as it was then. Null: an order of the calculator. */
  plan_id: string | null
  plan_name: string | null
  plan_period: string | null
  /** Connections that it extends; the others that it buys are new. */
  renews: ColumnType<string[], string[] | undefined, string[]>
  /** The node that its new connections are to be on. Null: where there is most room. */
  location_id: ColumnType<string | null, string | null | undefined, string | null>
  /** The customer chose it. False: it was the nearest. */
  location_is_chosen: ColumnType<boolean, boolean | undefined, boolean>
  /** Where they were made. Null: they were not yet, or there were none. */
  delivered_location_id: ColumnType<string | null, never, never>
  /** What it costs, what the promocode takes off that, and what is left to pay: price = total + discount. */
  price_minor: ColumnType<number, never, never>
  discount_minor: Generated<number>
  total_minor: number
  /** The code that was entered for it. Whether it still counts is looked at when a payment starts. */
  promocode: ColumnType<string | null, string | null | undefined, string | null>
  currency: CurrencyCode
  status: Generated<OrderStatus>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
  /** Until when it can be paid. */
  expires_at: Date
}

/** Where mails about an order go whose account was deleted before they were sent. */
export type ErasedBuyersTable = { order_id: string; email: string; name: string; created_at: Generated<Date> }

/** Terms of service that payments accepted: the text with the shop's names filled in, or the operator's PDF. */
export type TermsTable = {
  /** SHA-256 of `content`. */
  hash: Buffer
  version: string
  kind: 'markdown' | 'pdf'
  content: Buffer
  used_since: Generated<Date>
}

export type OrdersTables = { orders: OrdersTable; erased_buyers: ErasedBuyersTable; terms: TermsTable }

export type OrderRow = Selectable<OrdersTable>
