import { createHash } from 'node:crypto'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'

/** An entry of the chained record. */
export type RecordEntry = {
  seq: number
  /** Seconds since 1970, as the database writes them. */
  at: string
  /** JSON, as the database writes it; null: the act is gone. */
  said: string | null
  hash: Buffer
  /** Of the shop's key, over the entry and so all before it. */
  seal: Buffer | null
}

/** What does not hold, and where. */
export type RecordFault = { seq: number; says: string }

type KeyedHashOf = KeyedHash | undefined

export const sealOf = (keyedHash: KeyedHash, { seq, at, hash }: Omit<RecordEntry, 'said' | 'seal'>): Buffer =>
  keyedHash('operator record', `${seq}:${at}:${hash.toString('hex')}`)

/** Only who has the shop's key can say that a fault is known. */
export const macOf = (keyedHash: KeyedHash, { seq, says }: RecordFault): Buffer =>
  keyedHash('known fault of the operator record', `${seq}:${says}`)

const follows = (before: Buffer, { said, hash }: RecordEntry): boolean =>
  said !== null && createHash('sha256').update(before).update(said, 'utf8').digest().equals(hash)

/** Two years, in seconds: the record is kept as long. */
const KEPT_S = 2 * 365 * 86_400

/** Names what it says now: a fault that is accepted is accepted as that, and not whatever it is changed to next. */
const changedTo = (said: string | null): string =>
  `was changed (to ${createHash('sha256').update(String(said), 'utf8').digest('hex').slice(0, 32)})`

const idOf = (said: string): string => String((JSON.parse(said) as unknown[])[2])

/** What is wrong with the first entry that there is. `isStart`: it is to be the first of all that are kept. */
const faultOfFirst = (entry: RecordEntry, keyedHash: KeyedHashOf, isStart: boolean): string | undefined => {
  if (entry.seq === 1)
    return follows(Buffer.of(), entry)
      ? undefined
      : `the entry that begins the record ${changedTo(entry.said)}`
  if (!isStart) return undefined
  const isOld = Number(entry.at) < Date.now() / 1000 - KEPT_S
  if (!isOld || entry.seal === null) return `entries before ${entry.seq} are missing`
  return keyedHash && !sealOf(keyedHash, entry).equals(entry.seal)
    ? `entries before ${entry.seq} are missing`
    : undefined
}

const faultOfNext = (before: RecordEntry, entry: RecordEntry): string | undefined => {
  if (entry.seq !== before.seq + 1) return `entries ${before.seq + 1} to ${entry.seq - 1} are missing`
  if (entry.said === null) return 'its act was deleted'
  return follows(before.hash, entry)
    ? undefined
    : `what it says of act ${idOf(entry.said)} ${changedTo(entry.said)}`
}

/**
 * Reads a record on, entry by entry, in as much memory as one takes. Without the shop's key seals are not looked at, and one
 * who rewrote all hashes is not found.
 */
export const createRecordReader = (keyedHash: KeyedHashOf, { isStart = true } = {}) => {
  let before: RecordEntry | undefined
  return (entry: RecordEntry): RecordFault[] => {
    const says = [before ? faultOfNext(before, entry) : faultOfFirst(entry, keyedHash, isStart)]
    if (keyedHash && entry.seal && !sealOf(keyedHash, entry).equals(entry.seal))
      says.push('its seal is not the shop’s: it, or an entry since the seal before, was rewritten')
    before = entry
    return says.filter((one) => one !== undefined).map((one) => ({ seq: entry.seq, says: one }))
  }
}
