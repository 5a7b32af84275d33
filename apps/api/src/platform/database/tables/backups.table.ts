import type { ColumnType, Generated } from 'kysely'

/** A backup that the shop makes by itself, in one of its places. */
export type BackupsTable = {
  id: Generated<string>
  /** Of the file, or of the object in the bucket. */
  name: string
  /** The folder, or the bucket as s3://BUCKET/PREFIX. */
  place: string
  /** Whose folder it is; '' of a bucket. */
  machine: string
  began_at: Date
  /** When it was there and had been found whole. Null: it is being made, its process died, or it failed. */
  ended_at: ColumnType<Date | null, Date | null | undefined, Date>
  bytes: ColumnType<string | null, number | null | undefined, number>
  /** Why it was not made. */
  fault: ColumnType<string | null, string | null | undefined, string | null>
  /** Of a bucket, while its parts are being sent. */
  upload_id: ColumnType<string | null, string | null | undefined, string | null>
}

export type BackupsTables = { backups: BackupsTable }
