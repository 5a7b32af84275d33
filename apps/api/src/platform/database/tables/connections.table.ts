import type { FileForm } from '@hedgerow/domain/file-form'
import type { GoodwillCause } from '@hedgerow/domain/goodwill'
import type { KeysEveryDays } from '@hedgerow/domain/key-renewal'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** One bought connection; unique by its payment and its number within that. Its keys and address are its current peer's. */
export type ConnectionsTable = {
  id: string
  /** Null: it was brought from another panel, and nobody has said whose it is yet. */
  customer_id: string | null
  /** Null: it was brought from another panel, and has never been paid for here. */
  payment_id: string | null
  ordinal: number
  /** By which it was brought from another panel. */
  import_id: string | null
  /** Where it ended when it was brought. Null: never, or it was not brought. */
  imported_end: Date | null
  name: string
  /** The features that were bought, as a mask (domain/pricing). */
  options: number
  /** Which of the bought filters are on, by the same bits. */
  filters_on: number
  /** What its file says otherwise than the plain one. */
  file_form: Generated<FileForm[]>
  /** Null: never. */
  expires_at: Date | null
  /** When the operator has ended it: what was bought by then is gone for good. */
  ended_by_hand: Generated<Date[]>
  /** The last reminder that was sent, by its days before the end. */
  reminded_days: number | null
  /** Of its share link. */
  link_hash: Buffer | null
  linked_at: Date | null
  link_expires_at: Date | null
  /** When the account was last mailed of a link of this connection. */
  link_mailed_at: Date | null
  /** Of the address from which a device fetches its file. */
  file_address_hash: Buffer | null
  file_address_made_at: Date | null
  file_address_mailed_at: Date | null
  file_address_read_at: Date | null
  file_address_reads: Generated<number>
  /** So often its keys are renewed. Null: only by hand. */
  keys_every_days: KeysEveryDays | null
  /** The day of the next renewal; a day with its emails is written as text where it is read. */
  keys_renew_on: ColumnType<Date | null, string | null | undefined, null>
  /** The day that its customer was emailed of before. */
  keys_told_on: ColumnType<Date | null, string | null | undefined, null>
  /** When its keys were last renewed without a hand; when the customer was emailed of that, and that the device still has the old ones. */
  keys_renewed_at: Date | null
  keys_mailed_at: Date | null
  keys_reminded_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

/** What a payment added to a connection that was there. */
export type RenewalsTable = {
  payment_id: string
  connection_id: string
  days: number
  old_end: Date
  new_end: Date
  created_at: ColumnType<Date, Date | undefined, never>
}

/** What the shop added to a connection, with no payment. */
export type GoodwillDaysTable = {
  id: Generated<string>
  connection_id: string
  /** Null: by the tool, in a shell. */
  operator_id: string | null
  days: number
  reason: GoodwillCause
  old_end: Date
  new_end: Date
  created_at: ColumnType<Date, Date | undefined, never>
}

export type ConnectionsTables = {
  connections: ConnectionsTable
  renewals: RenewalsTable
  goodwill_days: GoodwillDaysTable
}

export type ConnectionRow = Selectable<ConnectionsTable>
export type GoodwillRow = Selectable<GoodwillDaysTable>
export type RenewalRow = Selectable<RenewalsTable>
