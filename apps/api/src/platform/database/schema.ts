import type { AccountsTables } from '#platform/database/tables/accounts.table.ts'
import type { BackupsTables } from '#platform/database/tables/backups.table.ts'
import type { CancellationsTables } from '#platform/database/tables/cancellations.table.ts'
import type { ClosedMonthsTables } from '#platform/database/tables/closed-months.table.ts'
import type { ConnectionsTables } from '#platform/database/tables/connections.table.ts'
import type { ConversationsTables } from '#platform/database/tables/conversations.table.ts'
import type { DisputesTables } from '#platform/database/tables/disputes.table.ts'
import type { InvoicesTables } from '#platform/database/tables/invoices.table.ts'
import type { JobsTables } from '#platform/database/tables/jobs.table.ts'
import type { KeysTables } from '#platform/database/tables/keys.table.ts'
import type { NodesTables } from '#platform/database/tables/nodes.table.ts'
import type { OperatorsTables } from '#platform/database/tables/operators.table.ts'
import type { OrdersTables } from '#platform/database/tables/orders.table.ts'
import type { PartnershipTables } from '#platform/database/tables/partnership.table.ts'
import type { PaymentsTables } from '#platform/database/tables/payments.table.ts'
import type { PayoutsTables } from '#platform/database/tables/payouts.table.ts'
import type { ShopTables } from '#platform/database/tables/plans.table.ts'
import type { RateCountsTables } from '#platform/database/tables/rate-counts.table.ts'
import type { ReturnedMailsTables } from '#platform/database/tables/returned-mails.table.ts'
import type { SecurityTables } from '#platform/database/tables/security.table.ts'
import type { SettlementTables } from '#platform/database/tables/settlement.table.ts'
import type { ShopChecksTables } from '#platform/database/tables/shop-checks.table.ts'
import type { StatusTables } from '#platform/database/tables/status.table.ts'
import type { WebhooksTables } from '#platform/database/tables/webhooks.table.ts'

/** Every table, by the slice that owns it. */
export type Database = AccountsTables &
  BackupsTables &
  CancellationsTables &
  ClosedMonthsTables &
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
  ReturnedMailsTables &
  ShopChecksTables &
  ShopTables &
  StatusTables &
  WebhooksTables
