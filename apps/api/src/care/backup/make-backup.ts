import { DAY_MS } from '@hedgerow/domain/dates'
import type { Pool } from 'pg'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { type BackupPlace, nameAt } from '#care/backup/backup-place.ts'
import {
  beginBackup,
  deleteBackup,
  endBackup,
  failBackup,
  findFailedBackup,
  listBackups,
  listLeftBackups,
  noteUpload,
} from '#care/backup/backups.queries.ts'
import { type BucketPlace, backupBucket } from '#care/backup/bucket-place.ts'
import { backupFolder, type FolderPlace, whyNotFolder } from '#care/backup/folder-place.ts'
import { checkBackup, type WholeBackup } from '#care/backup/read-backup.ts'
import { sealed } from '#care/backup/seal-backup.ts'
import { takeInto } from '#care/backup/take-backup.ts'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'
import type { ProcessDependencies, With } from '#platform/dependencies.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

/** Half past three in UTC, as in every night before. */
const NIGHT_MS = 3.5 * 3_600_000
/** What failed is tried again, and not all the time. */
const AGAIN_AFTER_MS = 10 * 60_000

const lastNight = (now: number): number => Math.floor((now - NIGHT_MS) / DAY_MS) * DAY_MS + NIGHT_MS

type Deps = With<'db' | 'settings'> & Pick<ProcessDependencies, 'pool'>

/** What failed a moment ago rests. */
const mayTry = async ({ db }: Deps, place: BackupPlace): Promise<boolean> => {
  const failed = await findFailedBackup(db, place)
  return !failed || failed.began_at.getTime() < Date.now() - AGAIN_AFTER_MS
}

const isDue = async (deps: Deps, folder: FolderPlace): Promise<boolean> => {
  const [newest] = await listBackups(deps.db, folder)
  if (newest && newest.began_at.getTime() >= lastNight(Date.now())) return false
  return mayTry(deps, folder)
}

/** The newest that lies here, where the bucket has none of it yet. */
const findUnsent = async (deps: Deps, folder: FolderPlace, bucket: BucketPlace) => {
  const [newest] = await listBackups(deps.db, folder)
  const sent = await listBackups(deps.db, bucket)
  if (!newest || sent.some(({ name }) => name === newest.name) || !(await mayTry(deps, bucket)))
    return undefined
  return (await folder.size(newest.name)) === undefined ? undefined : newest
}

const LOCK = "hashtext('hedgerow nightly backup')"

/** In all processes of the shop, and in the tool. Undefined: another is at it. It is held by a connection, and ends with it. */
const whileAlone = async <T>(pool: Pool, act: () => Promise<T>): Promise<T | undefined> => {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK}) as is_ours`)
    return rows[0].is_ours ? await act() : undefined
  } finally {
    client.release(true)
  }
}

const checkIn = (place: BackupPlace, name: string, signers: Deps['settings'], signal: AbortSignal) =>
  checkBackup({ open: () => place.open(name, signal), keys: signers, signers, signal })

/** In words for operators, without those of libraries, which may name anything. */
const wordsOf = (error: unknown): string => {
  if (error instanceof BackupFault) return error.message
  const { code, name } = error as { code?: unknown; name?: unknown }
  return `It failed: ${String(code ?? name)}.`
}

/** A process died: what it had named was written to its end, and is a backup if it is found whole. The rest goes. */
const settleLeft = async (
  { db, settings }: Deps,
  folder: FolderPlace,
  left: readonly { id: string; name: string }[],
  signal: AbortSignal,
) => {
  await folder.removeUnfinished()
  for (const { id, name } of left) {
    const bytes = await folder.size(name)
    const isWhole =
      bytes !== undefined &&
      (await checkIn(folder, name, settings, signal).then(
        () => true,
        (error: unknown) => {
          if (error instanceof BackupFault) return false
          throw error
        },
      ))
    if (isWhole) await endBackup(db, id, folder, bytes)
    else {
      await folder.remove(name, signal)
      await deleteBackup(db, id)
    }
  }
}

/** Only what the shop has written down as made here: whatever else lies there is somebody's. */
const removeOld = async ({ db, settings }: Deps, place: BackupPlace, signal: AbortSignal): Promise<void> => {
  const old: { id: string; name: string }[] = []
  let kept = 0
  for (const { id, name } of await listBackups(db, place)) {
    // On another machine, or somebody took it away.
    if (place.machine && (await place.size(name, signal)) === undefined) continue
    if (++kept > settings.backupKeep) old.push({ id, name })
  }
  await runAllSteps(
    old.map(({ id, name }) => async () => {
      await place.remove(name, signal)
      await deleteBackup(db, id)
    }),
  )
}

export type MadeBackup = { path: string; bytes: number; whole: WholeBackup }

const make = async (deps: Deps, folder: FolderPlace, signal: AbortSignal): Promise<MadeBackup> => {
  const { db, pool, settings } = deps
  const left = await listLeftBackups(db, folder)
  const at = new Date()
  const name = nameAt(at)
  const id = await beginBackup(db, name, folder, at)
  const path = folder.addressOf(name)
  let isWritten = false
  try {
    const why = await whyNotFolder(folder.title)
    if (why) throw new BackupFault(`${folder.title} ${why}.`)
    await settleLeft(deps, folder, left, signal)
    const { bytes } = await writeWholeFile(path, { mayReplace: false }, (sink) =>
      takeInto({ pool }, settings, sink, signal),
    )
    isWritten = true
    const whole = await checkIn(folder, name, settings, signal)
    await endBackup(db, id, folder, bytes)
    return { path, bytes, whole }
  } catch (error) {
    if (isWritten) await folder.remove(name, signal).catch(() => undefined)
    if (signal.aborted) await deleteBackup(db, id)
    else await failBackup(db, id, folder, wordsOf(error))
    throw error
  }
}

const makeAndTidy = async (deps: Deps, folder: FolderPlace, signal: AbortSignal): Promise<MadeBackup> => {
  const made = await make(deps, folder, signal)
  await removeOld(deps, folder, signal)
  return made
}

/** A process died: what it was sending goes, and is sent anew. */
const abortLeft = async ({ db }: Deps, bucket: BucketPlace, signal: AbortSignal): Promise<void> => {
  for (const { id, name, upload_id } of await listLeftBackups(db, bucket)) {
    if (upload_id) await bucket.abort(name, upload_id, signal)
    await bucket.remove(name, signal)
    await deleteBackup(db, id)
  }
}

/** Sends what has been made, outside of all transactions, and reads it again from there. */
const send = async (
  deps: Deps,
  { name, bytes }: { name: string; bytes: number },
  folder: FolderPlace,
  bucket: BucketPlace,
  signal: AbortSignal,
): Promise<void> => {
  const { db, settings } = deps
  let sending: string | undefined
  const id = await beginBackup(db, name, bucket, new Date())
  const onBegin = async (uploadId: string) => {
    sending = uploadId
    await noteUpload(db, id, uploadId)
  }
  try {
    await bucket.send(name, sealed(folder.open(name, signal), settings), { bytes, onBegin }, signal)
    await checkIn(bucket, name, settings, signal)
    await endBackup(db, id, bucket, (await bucket.size(name, signal)) ?? 0)
  } catch (error) {
    // What is left there is known by its row, and goes before the next try.
    if (signal.aborted) throw error
    if (sending) await bucket.abort(name, sending, signal).catch(() => undefined)
    await failBackup(db, id, bucket, wordsOf(error))
    throw error
  }
}

/** Makes one now. Undefined: another process is making one. */
export const makeBackup = async (
  deps: Deps,
  folder: FolderPlace,
  signal: AbortSignal,
): Promise<MadeBackup | undefined> => whileAlone(deps.pool, () => makeAndTidy(deps, folder, signal))

/** The backup of the night, and the first of a new shop at once; then its copy elsewhere. */
export const makeDueBackup = async (deps: Deps & ProcessDependencies): Promise<void> => {
  const { settings, stopping, pool } = deps
  const [folder, bucket] = [backupFolder(settings), backupBucket(settings)]
  if (!folder) return
  const unsent = async () => bucket && (await findUnsent(deps, folder, bucket))
  if (!(await isDue(deps, folder)) && !(await unsent())) return
  await whileAlone(pool, async () => {
    // Another process may have done it meanwhile.
    if (await isDue(deps, folder)) await makeAndTidy(deps, folder, stopping)
    const one = await unsent()
    if (!bucket || !one) return
    await abortLeft(deps, bucket, stopping)
    await send(deps, { name: one.name, bytes: Number(one.bytes) }, folder, bucket, stopping)
    await removeOld(deps, bucket, stopping)
  })
}
