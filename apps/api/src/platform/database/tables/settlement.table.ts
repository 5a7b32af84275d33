import type { GatewayName } from '@hedgerow/domain/gateways'
import type { OperationKind } from '@hedgerow/domain/settlement'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** A bigint, which comes as text. */
type Minor = ColumnType<string, number, number>

/** One time that the gateway's bookings were asked for, or a file of them was read. */
export type SettlementRunsTable = {
  id: string
  kind: 'fetch' | 'import'
  gateway: Generated<GatewayName>
  /** Operations that were completed from the one instant up to the other. */
  period_from: Date
  period_to: Date
  file_name: string | null
  file_sha256: string | null
  started_at: Generated<Date>
  /** Null: it goes on, or broke off. What had come by then is kept. */
  ended_at: Date | null
  /** The shop's own, of a day that is over. */
  is_daily: Generated<boolean>
  /** Of a fetch: how many operations had come. */
  next_offset: Generated<number>
  /** Of a fetch that goes on, or broke off: where the next page begins, in the gateway's words. */
  next_cursor: string | null
  new_count: Generated<number>
  changed_count: Generated<number>
  same_count: Generated<number>
  /** What moves no money, is another project's, or could not be read. */
  left_out_count: Generated<number>
}

/** One booking of a gateway, by its own id. Amounts in minor units of their currencies, signed as they change the balance. */
export type SettlementOperationsTable = {
  id: string
  gateway: Generated<GatewayName>
  /** The gateway's id of what it was booked for, where bookings have ids of their own. */
  source: string | null
  kind: OperationKind
  /** The gateway's own word for it. */
  type: string
  /** Only a success moves money; a fee is taken whatever became of it. */
  status: 'success' | 'decline' | 'pending'
  payment_id: string | null
  /** What moved between the customer and the gateway. */
  initial_minor: Minor
  initial_currency: string
  /** What the balance changed by, before the fee. */
  booked_minor: Minor
  booked_currency: string
  /** What the gateway took for it, in the booked currency. */
  fee_minor: Minor
  method: string | null
  /** First six and last four digits, of a payment that is not known here; the payment itself has it else. */
  pan_masked: string | null
  /** The card network's numbers, which a bank finds the money by. */
  arn: string | null
  rrn: string | null
  completed_at: Date
  /** The run that reported it last. */
  run_id: string
  /** 'known': the shop knows of it too. 'unknown': only the gateway does. 'differs': in the sum or the currency. */
  standing: Generated<'known' | 'unknown' | 'differs'>
  /** What it was, in the operator's words: it does not wait any more then. */
  explanation: string | null
  explained_at: Date | null
  first_told_at: Generated<Date>
  changed_at: Date | null
}

/** What the gateway says was on a currency's balance at an instant, in minor units. */
export type SettlementBalancesTable = { currency: string; at: Date; minor: Minor; told_at: Generated<Date> }

export type SettlementTables = {
  settlement_runs: SettlementRunsTable
  settlement_operations: SettlementOperationsTable
  settlement_balances: SettlementBalancesTable
}

export type SettlementRunRow = Selectable<SettlementRunsTable>
export type SettlementOperationRow = Selectable<SettlementOperationsTable>
