import type { CurrencyCode } from '@hedgerow/domain/money'
import type { OrderStatus } from '@hedgerow/domain/order-moves'
import type { ColumnType, Generated, Selectable } from 'kysely'

export type OrdersTable = {
  id: string
  /** Null: the account was erased. */
  customer_id: string | null
  days: number
  connections: number
  priority_bandwidth: boolean
  ad_filter: boolean
  malware_filter: boolean
  family_filter: boolean
  total_minor: number
  currency: CurrencyCode
  status: Generated<OrderStatus>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
  /** Until when it can be paid. */
  expires_at: Date
}

export type OrdersTables = { orders: OrdersTable }

export type OrderRow = Selectable<OrdersTable>
