/** Where backups are kept, by their names. */
export type BackupPlace = {
  /** As people and the table have it: a folder, or s3://BUCKET/PREFIX. */
  title: string
  /** Whose folder it is; '' where every machine reaches it. */
  machine: string
  /** As operators name one of them. */
  addressOf: (name: string) => string
  /** All that are called so, whoever put them there, newest first. */
  list: (signal: AbortSignal) => Promise<{ name: string; bytes: number }[]>
  /** In bytes; undefined: there is none. */
  size: (name: string, signal: AbortSignal) => Promise<number | undefined>
  open: (name: string, signal: AbortSignal) => AsyncIterable<Uint8Array>
  remove: (name: string, signal: AbortSignal) => Promise<void>
}

const NAME = /^\d{4}-\d\d-\d\dT\d{9}Z\.backup$/

/** Told by the moment, so that they come in its order. */
export const nameAt = (at: Date): string => `${at.toISOString().replaceAll(/[:.]/g, '')}.backup`

/** Whether the shop calls its backups so; it says nothing of who wrote one. */
export const isBackupName = (name: string): boolean => NAME.test(name)
