import type { OperatorRole, Permission } from '@hedgerow/domain/operator-roles'
import type { PriceValues } from '@hedgerow/domain/price-settings'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'

/** 'under way' for long: the command was interrupted, and may have done its work or a part of it. */
export type Outcome = 'done' | 'refused' | 'failed' | 'under way'

/** What was typed, by name, without personal data and free text. */
export type RecordedArguments = Record<string, string | boolean>

/** An act with the operator's tool. The database refuses to change it once it has ended. */
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

/** An entry of the chain over operator_actions: a beginning or an end, behind the hash of the entry before. */
export type OperatorRecordTable = {
  seq: string
  /** Null for the first. */
  action_id: string | null
  is_end: Generated<boolean>
  has_subject: Generated<boolean>
  at: Generated<Date>
  /** Of the first: how many acts are older. */
  older: string | null
  hash: Buffer
  /** HMAC under the shop's key, which is not in the database. */
  seal: Buffer | null
}

/** A fault of the record that is known and looked into: no alert any more. */
export type AcceptedRecordFaultsTable = {
  seq: string
  says: string
  accepted_at: Generated<Date>
  /** Of the shop's key, which is not in the database. */
  mac: Buffer
}

type CreatedAt = ColumnType<Date, Date | undefined, never>

/** A person who runs the shop from a browser. Their name is unique, and stays when they have gone. */
export type OperatorsTable = {
  id: string
  name: string
  role: OperatorRole
  /** argon2id, PHC text; null: they come by passkey. */
  password_hash: string | null
  /** Sealed; null: no app is set up. */
  totp_encrypted: Buffer | null
  /** Codes of this step and of those before it have been used. */
  totp_last_step: Generated<number>
  created_at: CreatedAt
  ended_at: Date | null
  /** Who alone invited them, sent them a new link or gave them their role, and when; null: two did, or the tool. */
  let_in_by: Generated<string | null>
  let_in_at: Generated<Date | null>
}

/** Who an operator is at the provider of single sign-on. */
export type OperatorIdentitiesTable = {
  issuer: string
  subject: string
  operator_id: string
  /** They came by a group there, which decides their role. Otherwise they have linked it, and their role is the console's. */
  by_groups: boolean
  created_at: ColumnType<Date, never, never>
  last_used_at: ColumnType<Date | null, never, Date>
}

export type OperatorPasskeysTable = {
  id: string
  operator_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  is_synced: boolean
  name: string
  created_at: CreatedAt
  last_used_at: Date | null
}

/** A link by which an operator sets up how they get in, by the hash of its token. Of several, the newest works. */
export type OperatorInvitationsTable = {
  token_hash: Buffer
  operator_id: string
  /** The operator who made it, or the tool did; of one that an earlier version made it is not known. */
  invited_by: ColumnType<string | null, string | null, never>
  is_by_tool: ColumnType<boolean, boolean, never>
  created_at: CreatedAt
  expires_at: Date
  used_at: Date | null
}

export type OperatorSessionsTable = {
  token_hash: Buffer
  id: Generated<string>
  operator_id: string
  created_at: CreatedAt
  /** To the minute. */
  last_used_at: Generated<Date>
  proved_at: Generated<Date>
  browser: ColumnType<string | null, string | null | undefined, never>
  network: ColumnType<string | null, string | null | undefined, never>
}

/** For a program: what it may do is no more than its operator may, whatever stands here. */
export type OperatorTokensTable = {
  id: string
  token_hash: Buffer
  operator_id: string
  name: string
  permissions: Permission[]
  created_at: CreatedAt
  expires_at: Date
  /** To the minute. */
  last_used_at: Date | null
}

export type OperatorChallengesTable = {
  token_hash: Buffer
  purpose: string
  operator_id: string | null
  challenge: string
  tries: Generated<number>
  created_at: CreatedAt
  expires_at: Date
}

/** What an operator noted about a customer. The customer reads it in the data they download; erased with the account. */
export type CustomerNotesTable = {
  id: string
  customer_id: string
  operator_id: string
  text: string
  created_at: CreatedAt
}

/** An operator has asked to reset a customer's second step; another one has to agree within a day. */
export type SecondStepResetsTable = {
  customer_id: string
  operator_id: string
  asked_at: ColumnType<Date, Date | undefined, Date>
}

/** What the second person is shown, and agrees to: nothing else is done. */
export type SecondPersonFacts = Record<string, string | number | boolean>

export type SecondPersonOutcome = 'done' | 'withdrawn' | 'changed' | 'expired'

/** An act that an operator has asked for, and that another one has to confirm. */
export type SecondPersonsTable = {
  id: string
  operator_id: string
  /** The endpoint: 'PUT /api/v1/settings/:name'. */
  call: string
  command: string
  /** What confirming it takes. */
  permission: string
  params: JSONColumnType<object, string, never>
  body: JSONColumnType<object, string, never>
  facts: JSONColumnType<SecondPersonFacts, string, never>
  asked_at: CreatedAt
  expires_at: Date
  confirmed_by: string | null
  confirmed_at: Date | null
  ended_at: Date | null
  outcome: SecondPersonOutcome | null
}

/** Money that an operator gave back, or caused to be. */
export type OperatorSumsTable = {
  id: string
  operator_id: string
  at: CreatedAt
  /** The payment, or 'payouts' for a file. */
  subject: string
  /** Of whatever currency. */
  amount_minor: string | number
  refund_id: string | null
  /** With whom it was agreed: it counts no further. */
  confirmed_by: string | null
}

/** What operators set while the shop runs. */
export type RunningSettingsTable = {
  name: string
  value: ColumnType<string | number, string, string>
  set_at: Generated<Date>
  operator_id: string | null
}

/** What the calculator computes with from a moment on. */
export type PriceChangesTable = {
  id: string
  /** By their settings, in minor units. */
  prices: ColumnType<PriceValues, string, never>
  due_at: Date
  operator_id: string | null
  created_at: Generated<Date>
  /** When it was made, or taken back. */
  ended_at: Date | null
}

export type OperatorsTables = {
  second_persons: SecondPersonsTable
  operator_sums: OperatorSumsTable
  price_changes: PriceChangesTable
  running_settings: RunningSettingsTable
  customer_notes: CustomerNotesTable
  second_step_resets: SecondStepResetsTable
  operator_actions: OperatorActionsTable
  operator_record: OperatorRecordTable
  accepted_record_faults: AcceptedRecordFaultsTable
  operators: OperatorsTable
  operator_identities: OperatorIdentitiesTable
  operator_passkeys: OperatorPasskeysTable
  operator_invitations: OperatorInvitationsTable
  operator_sessions: OperatorSessionsTable
  operator_tokens: OperatorTokensTable
  operator_challenges: OperatorChallengesTable
}

export type OperatorRow = Selectable<OperatorsTable>

export type OperatorActionRow = Selectable<OperatorActionsTable>
