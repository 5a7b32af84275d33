import type { ColumnType, Generated, Selectable } from 'kysely'

type CreatedAt = ColumnType<Date, Date | undefined, never>

/** A customer's account. `email` is kept in lower case; `promocode` is theirs to hand out. */
export type CustomersTable = {
  id: string
  email: string
  name: string
  first_name: Generated<string>
  last_name: Generated<string>
  phone: Generated<string>
  address_country: Generated<string>
  address_zip: Generated<string>
  address_city: Generated<string>
  address_string: Generated<string>
  promocode: string
  /** Whose promocode the account was opened with. */
  referred_by: ColumnType<string | null, string | null | undefined, null>
  /** argon2id, PHC text. */
  password_hash: string
  terms_accepted_at: ColumnType<Date, Date | undefined, Date>
  confirmed_at: Date | null
  /** Of what the browser that signed up was given, until the address is confirmed. */
  signup_secret_hash: ColumnType<Buffer | null, Buffer | undefined, null>
  /** Where they were going when they opened the account, or asked for a new password, until the mailed link is used. */
  redirect_path: ColumnType<string | null, string | null | undefined, string | null>
  /** How many connections were ever made: the number in the next one's name. */
  connections_made: Generated<number>
  /** Counts the saves of the profile. */
  profile_version: Generated<number>
  /** Since when logging in takes a passkey or a code after the password; null: it does not. */
  second_step_at: ColumnType<Date | null, never, Date | null>
  /** When the second step ends by itself: its owner has said that it is lost. */
  second_step_ends_at: ColumnType<Date | null, never, Date | null>
  /** Of the mailed link that stops that. */
  way_back_hash: ColumnType<Buffer | null, never, Buffer | null>
  created_at: CreatedAt
}

/** A bearer token's hash. The token itself is nowhere but with its holder. */
export type SessionsTable = {
  token_hash: Buffer
  /** By which its owner ends it. */
  id: Generated<string>
  customer_id: string
  created_at: CreatedAt
  /** To the hour. */
  last_used_at: Generated<Date>
  /** When its owner last proved who they are, by logging in or when asked again. */
  proved_at: Generated<Date>
  /** As people call it: 'Firefox on Android'. */
  browser: ColumnType<string | null, string | null | undefined, never>
  /** So much of the address that it tells a provider, not a home. */
  network: ColumnType<string | null, string | null | undefined, never>
  /** Moves on with each use, and not beyond the longest that a session may last. */
  expires_at: Date
}

export type LinkPurpose = 'confirm' | 'reset'

/** A link that was mailed, by the hash of its token. */
export type AccountLinksTable = {
  token_hash: Buffer
  customer_id: string
  purpose: LinkPurpose
  created_at: CreatedAt
  expires_at: Date
  used_at: Date | null
}

/**
 * An account is to have another address. Pending until it is made (`changed_at`) or ended; made, it can be undone from the
 * old address until `undo_until`, unless it was ended: by being undone, or with an earlier change.
 */
export type EmailChangesTable = {
  id: string
  customer_id: string
  /** When it is made, the address that the account had until then. */
  old_email: string
  new_email: string
  asked_at: CreatedAt
  /** Of the link that is mailed to the new address. */
  expires_at: Date
  /** Null until that mail is made; it is not made for an address that another account has. */
  confirm_hash: Buffer | null
  changed_at: Date | null
  undo_until: Date | null
  /** Null until the mail to the old address is made. */
  undo_hash: Buffer | null
  ended_at: Date | null
}

/** Where the last mail to an erased account goes; deleted once it is sent, or given up. */
export type FarewellsTable = {
  id: string
  email: string
  created_at: CreatedAt
}

export type AccountsTables = {
  customers: CustomersTable
  sessions: SessionsTable
  account_links: AccountLinksTable
  email_changes: EmailChangesTable
  farewells: FarewellsTable
}

export type EmailChangeRow = Selectable<EmailChangesTable>
export type CustomerRow = Selectable<CustomersTable>
