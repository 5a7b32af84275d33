import { DAY_MS } from '@hedgerow/domain/dates'
import type { Pool } from 'pg'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { type BackupPlace, nameAt } from '#care/backup/backup-place.ts'
import {
  deleteBackup,
  endBackup,
  failBackup,
  findFailedBackup,
  insertBackup,
  listBackups,
  listLeftBackups,
} from '#care/backup/backups.queries.ts'
import { backupFolder, type FolderPlace, whyNotFolder } from '#care/backup/folder-place.ts'
import { checkBackup, type WholeBackup } from '#care/backup/read-backup.ts'
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

const isDue = async ({ db }: Deps, folder: FolderPlace): Promise<boolean> => {
  const now = Date.now()
  const [newest] = await listBackups(db, folder)
  if (newest && newest.began_at.getTime() >= lastNight(now)) return false
  const failed = await findFailedBackup(db, folder)
  return !failed || failed.began_at.getTime() < now - AGAIN_AFTER_MS
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
  checkBackup({ open: () => place.open(name, signal), signers, signal })

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
    const bytes = await folder.size(name, signal)
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
  const id = await insertBackup(db, name, folder, at)
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

/** Makes one now. Undefined: another process is making one. */
export const makeBackup = async (
  deps: Deps,
  folder: FolderPlace,
  signal: AbortSignal,
): Promise<MadeBackup | undefined> => whileAlone(deps.pool, () => makeAndTidy(deps, folder, signal))

/** The backup of the night, and the first of a new shop at once. */
export const makeDueBackup = async (deps: Deps & ProcessDependencies): Promise<void> => {
  const folder = backupFolder(deps.settings)
  if (!folder || !(await isDue(deps, folder))) return
  await whileAlone(deps.pool, async () => {
    // Another process may have made it meanwhile.
    if (await isDue(deps, folder)) await makeAndTidy(deps, folder, deps.stopping)
  })
}
