import type { AccountsTables } from '#database/tables/accounts.table.ts'
import type { CancellationsTables } from '#database/tables/cancellations.table.ts'
import type { ConnectionsTables } from '#database/tables/connections.table.ts'
import type { ConversationsTables } from '#database/tables/conversations.table.ts'
import type { DisputesTables } from '#database/tables/disputes.table.ts'
import type { InvoicesTables } from '#database/tables/invoices.table.ts'
import type { JobsTables } from '#database/tables/jobs.table.ts'
import type { KeysTables } from '#database/tables/keys.table.ts'
import type { NodesTables } from '#database/tables/nodes.table.ts'
import type { OperatorsTables } from '#database/tables/operators.table.ts'
import type { OrdersTables } from '#database/tables/orders.table.ts'
import type { PartnershipTables } from '#database/tables/partnership.table.ts'
import type { PaymentsTables } from '#database/tables/payments.table.ts'
import type { PayoutsTables } from '#database/tables/payouts.table.ts'
import type { ShopTables } from '#database/tables/plans.table.ts'
import type { RateCountsTables } from '#database/tables/rate-counts.table.ts'
import type { SecurityTables } from '#database/tables/security.table.ts'
import type { SettlementTables } from '#database/tables/settlement.table.ts'
import type { StatusTables } from '#database/tables/status.table.ts'

/** Every table, by the slice that owns it. */
export type Database = AccountsTables &
  CancellationsTables &
  ConnectionsTables &
  ConversationsTables &
  DisputesTables &
  InvoicesTables &
  JobsTables &
  KeysTables &
  NodesTables &
  OperatorsTables &
  OrdersTables &
  PartnershipTables &
  PaymentsTables &
  PayoutsTables &
  RateCountsTables &
  SecurityTables &
  SettlementTables &
  ShopTables &
  StatusTables
