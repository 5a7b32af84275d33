import type { ColumnType, Selectable } from 'kysely'

/** The cancellation of a customer who could not log in. `id` was made by their page. */
export type CancellationStatementsTable = {
  id: string
  name: string
  /** As it was typed: not proved to be theirs. */
  email: string
  /** Which mailbox that is (`mailboxOf`), for listing and counting. Null: from before. */
  sender: ColumnType<string | null, string, never>
  contract: string
  message: string
  received_at: ColumnType<Date, Date | undefined, never>
  /** Whether a mail acknowledges it by itself: one address gets only so many a day. */
  is_acknowledged: boolean
  /** When the operator was done with it. */
  closed_at: Date | null
}

export type CancellationsTables = { cancellation_statements: CancellationStatementsTable }

export type CancellationStatementRow = Selectable<CancellationStatementsTable>
