import { setTimeout as pause } from 'node:timers/promises'
import { type BackupPlace, isBackupName } from '#care/backup/backup-place.ts'
import { s3 } from '#care/backup/s3-calls.ts'
import type { Settings } from '#platform/settings.ts'

const ENDING = '.age'

const MIB = 1024 * 1024
/** S3 takes no smaller ones, and 10,000 of them. */
const LEAST_PART = 5 * MIB
const MOST_PARTS = 9_000

const TRIES = 4
const PAUSE_MS = 2_000

/** Pieces of one size, but for the last: each lies where the one before it lay. */
async function* inParts(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafeSlow(size)
  let filled = 0
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(size - filled, piece.length - at)
      part.set(piece.subarray(at, at + taken), filled)
      filled += taken
      at += taken
      if (filled < size) continue
      yield part
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

/** A line that breaks off for a moment is no reason to begin anew. */
const patiently = async <T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> => {
  for (let n = 1; ; n++) {
    try {
      return await act()
    } catch (error) {
      if (n === TRIES || signal.aborted) throw error
      await pause(n * PAUSE_MS, undefined, { signal })
    }
  }
}

export type BucketPlace = BackupPlace & {
  /** Undefined: it is no address of something there. */
  nameOf: (address: string) => string | undefined
  /** Sends one of about so many bytes, which is there when all of it is. `onBegin` hears how the upload is called. */
  send: (
    name: string,
    source: AsyncIterable<Uint8Array>,
    about: { bytes: number; onBegin: (uploadId: string) => Promise<void> },
    signal: AbortSignal,
  ) => Promise<void>
  /** Takes away what came of an upload that did not end. */
  abort: (name: string, uploadId: string, signal: AbortSignal) => Promise<unknown>
}

/** Undefined: copies go nowhere. */
export const backupBucket = ({ bucket }: Pick<Settings, 'bucket'>): BucketPlace | undefined => {
  if (!bucket) return undefined
  const calls = s3(bucket)
  const keyOf = (name: string) => `${calls.prefix}${name}${ENDING}`
  return {
    title: bucket.url,
    machine: '',
    addressOf: (name) => `${bucket.url}/${name}${ENDING}`,
    nameOf: (address) =>
      address.startsWith(`${bucket.url}/`) && address.endsWith(ENDING)
        ? address.slice(bucket.url.length + 1, -ENDING.length)
        : undefined,
    list: async (signal) =>
      (await calls.list(calls.prefix, signal))
        .map(({ key, bytes }) => ({ name: key.slice(calls.prefix.length, -ENDING.length), bytes, key }))
        .filter(({ name, key }) => isBackupName(name) && key === keyOf(name))
        .sort((one, other) => (one.name < other.name ? 1 : -1)),
    size: (name, signal) => calls.size(keyOf(name), signal),
    open: (name, signal) => calls.read(keyOf(name), signal),
    remove: (name, signal) => calls.remove(keyOf(name), signal),
    abort: (name, uploadId, signal) => calls.upload(keyOf(name), uploadId).abort(signal),
    send: async (name, source, { bytes, onBegin }, signal) => {
      const uploadId = await calls.begin(keyOf(name), signal)
      await onBegin(uploadId)
      const upload = calls.upload(keyOf(name), uploadId)
      const etags: string[] = []
      const size = Math.max(LEAST_PART, Math.ceil(bytes / MOST_PARTS))
      for await (const part of inParts(source, size))
        etags.push(await patiently(signal, () => upload.part(etags.length + 1, part, signal)))
      await upload.complete(etags, signal)
    },
  }
}
