import type { Generated } from 'kysely'

/** A key that rows may be sealed by. Gone once none is. */
export type SealingKeysTable = {
  /** See keyIdOf. */
  id: string
  /** What hashes are keyed with, the same in each row, sealed by this key. */
  hash_key_encrypted: Buffer
  first_used_at: Generated<Date>
}

/** Which keys a process has, known by the database connection that it holds as long as it lives. */
export type KeyHoldersTable = {
  backend_pid: number
  backend_start: Date
  seals: string
  /** The sealing one too. */
  opens: string[]
}

/** A sealed value that did not open when it was needed. It counts for as long as the row holds that very value. */
export type UnreadableSecretsTable = {
  /** SHA-256 of the sealed value. */
  sealed_hash: Buffer
  place: string
  row_id: string
  seen_at: Generated<Date>
}

export type KeysTables = {
  sealing_keys: SealingKeysTable
  key_holders: KeyHoldersTable
  unreadable_secrets: UnreadableSecretsTable
}
