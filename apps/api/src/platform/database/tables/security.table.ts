import type { ColumnType, Generated, Selectable } from 'kysely'

type CreatedAt = ColumnType<Date, Date | undefined, never>

/** A passkey of an account (WebAuthn): the public half. */
export type PasskeysTable = {
  id: string
  customer_id: string
  credential_id: Buffer
  /** COSE, as the authenticator gave it. */
  public_key: Buffer
  /** Of the authenticator's signatures, as text; 0 for ever where it does not count. */
  counter: ColumnType<string, number | bigint, number | bigint>
  transports: string[]
  /** It may be on several devices of its owner. */
  is_synced: boolean
  name: string
  created_at: CreatedAt
  last_used_at: Date | null
}

/** The secret that an authenticator app shares with us; `pending` is one whose first code has not been typed yet. */
export type TotpSecretsTable = {
  customer_id: string
  secret_encrypted: Buffer | null
  confirmed_at: Date | null
  /** Of the last code that was taken, as text: none works twice. */
  last_step: ColumnType<string, number | bigint | undefined, number | bigint>
  pending_encrypted: Buffer | null
  pending_until: Date | null
  /** Who has begun it: another session neither sees that secret nor confirms it. */
  pending_session_id: string | null
}

/** argon2id, PHC text. */
export type RecoveryCodesTable = {
  id: string
  customer_id: string
  code_hash: string
  created_at: CreatedAt
  used_at: Date | null
}

/**
 * What is to be answered next, by the hash of the ticket that its holder got:
 * - 'log-in': a passkey of an account that is not known yet
 * - 'second-step': the password was right
 * - 'ask-again', 'add-passkey': within a session
 */
export type ChallengePurpose = 'log-in' | 'second-step' | 'ask-again' | 'add-passkey'

export type AuthChallengesTable = {
  token_hash: Buffer
  purpose: ChallengePurpose
  customer_id: string | null
  /** For a passkey to sign, base64url. */
  challenge: string
  /** Wrong answers so far. */
  tries: Generated<number>
  created_at: CreatedAt
  expires_at: Date
}

/** What happened to an account. Of what strangers can cause, an hour's is one row with `hour`, counted by `times`. */
export type SecurityEventsTable = {
  id: Generated<string>
  customer_id: string
  kind: string
  browser: string | null
  network: string | null
  times: Generated<number>
  created_at: CreatedAt
  last_at: Generated<Date>
  hour: Date | null
  /** The account's address then, until it was mailed. */
  mail_to: string | null
}

export type SecurityTables = {
  passkeys: PasskeysTable
  totp_secrets: TotpSecretsTable
  recovery_codes: RecoveryCodesTable
  auth_challenges: AuthChallengesTable
  security_events: SecurityEventsTable
}

export type PasskeyRow = Selectable<PasskeysTable>
export type AuthChallengeRow = Selectable<AuthChallengesTable>
