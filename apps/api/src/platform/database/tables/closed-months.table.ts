import type { MonthStatement } from '@hedgerow/domain/month-statement'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** Two totals of a month's money, found in different ways, as they were when it was closed. */
export type ProofOfMonth = {
  id: string
  agrees: boolean
  left: { what: string; sums: Readonly<Record<string, number>> }
  right: { what: string; sums: Readonly<Record<string, number>> }
}

export type ProofsOfMonth = {
  checks: ProofOfMonth[]
  /** What waited, and how many of each. */
  waiting: { kind: string; what: string; count: number }[]
}

/** Written once: its trigger refuses a change. */
export type ClosedMonthsTable = {
  /** '2026-10' */
  month: string
  closed_at: Generated<Date>
  /** The operator's name, or who was logged in at the shell. */
  closed_by: string
  statement: ColumnType<MonthStatement, string, never>
  proofs: ColumnType<ProofsOfMonth, string, never>
  /** Why it was closed although something differed or waited, in the operator's words. */
  reason: string | null
}

export type ClosedMonthsTables = { closed_months: ClosedMonthsTable }
export type ClosedMonthRow = Selectable<ClosedMonthsTable>
