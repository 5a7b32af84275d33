import type { ColumnType, JSONColumnType, Selectable } from 'kysely'

/** 'under way' for long: the command was interrupted, and may have done its work or a part of it. */
export type Outcome = 'done' | 'refused' | 'failed' | 'under way'

/** What was typed, by name, without personal data and free text. */
export type RecordedArguments = Record<string, string | boolean>

/** What somebody did with the operator's tool. The database refuses to change it once it has ended. */
export type OperatorActionsTable = {
  id: string
  at: ColumnType<Date, never, never>
  who: string
  command: string
  arguments: JSONColumnType<RecordedArguments, string, never>
  /** The id or the name of what it was done to. */
  subject: string | null
  outcome: ColumnType<Outcome, never, Outcome>
  ended_at: Date | null
}

export type OperatorsTables = { operator_actions: OperatorActionsTable }

export type OperatorActionRow = Selectable<OperatorActionsTable>
