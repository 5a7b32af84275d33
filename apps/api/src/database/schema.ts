import type { AccountsTables } from '#accounts/accounts.table.ts'
import type { ConnectionsTables } from '#connections/connections.table.ts'
import type { ConversationsTables } from '#conversations/conversations.table.ts'
import type { InvoicesTables } from '#invoices/invoices.table.ts'
import type { JobsTables } from '#jobs/jobs.table.ts'
import type { NodesTables } from '#nodes/nodes.table.ts'
import type { OperatorsTables } from '#operators/operators.table.ts'
import type { OrdersTables } from '#orders/orders.table.ts'
import type { PartnershipTables } from '#partnership/partnership.table.ts'
import type { PaymentsTables } from '#payments/payments.table.ts'
import type { ShopTables } from '#shop/shop.table.ts'

/** Every table, by the slice that owns it. */
export type Database = AccountsTables &
  ConnectionsTables &
  ConversationsTables &
  InvoicesTables &
  JobsTables &
  NodesTables &
  OperatorsTables &
  OrdersTables &
  PartnershipTables &
  PaymentsTables &
  ShopTables
