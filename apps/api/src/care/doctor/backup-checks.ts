import { hostname } from 'node:os'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { findFailedBackup, listBackups } from '#care/backup/backups.queries.ts'
import { type BucketPlace, backupBucket } from '#care/backup/bucket-place.ts'
import { backupFolder, type FolderPlace, whyNotFolder } from '#care/backup/folder-place.ts'
import { lastBackup } from '#care/backup/last-backup.ts'
import type { Check } from '#care/doctor/check.ts'
import type { Db } from '#platform/database/client.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'

const HOUR_MS = 3_600_000
/** One a day, and some hours more. */
const OLD_HOURS = 26
const VERY_OLD_HOURS = 72

const HOW = 'docs/backups.md'

/** What keeps the shop from making one, or took one away. */
const faultIn = async (db: Db, folder: FolderPlace): Promise<Finding | undefined> => {
  const why = await whyNotFolder(folder.title)
  if (why) return problem(`${folder.title} ${why}`, 'Mend the folder that BACKUP_DIR names.')
  const failed = await findFailedBackup(db, folder)
  if (failed)
    return problem(
      `the last one failed: ${failed.fault}`,
      'Mend it: it is tried every ten minutes. ops backup tries now.',
    )
  const [newest] = await listBackups(db, folder)
  // What another machine made is there.
  if (newest?.machine === hostname() && (await folder.size(newest.name)) !== Number(newest.bytes))
    return problem(
      `${newest.name} is not in ${folder.title} as it was made`,
      'Find out who moved or changed it. ops backup makes another.',
    )
  return undefined
}

const byAge = (at: Date, does: string, act: string, more = ''): Finding => {
  const hours = Math.floor((Date.now() - at.getTime()) / HOUR_MS)
  const says = `the last was ${does} ${hours < 1 ? 'within the hour' : `${hours} hours ago`}`
  if (hours >= VERY_OLD_HOURS) return problem(says, act)
  return hours >= OLD_HOURS ? warning(says, act) : ok(says + more)
}

const lookInto = async (db: Db, bucket: BucketPlace, signal: AbortSignal): Promise<Finding> => {
  const act = 'Mend it: it is tried every ten minutes. docs/backups.md#elsewhere'
  const failed = await findFailedBackup(db, bucket)
  if (failed) return problem(`the last copy was not sent: ${failed.fault}`, act)
  const [newest] = await listBackups(db, bucket)
  if (!newest) return warning('none was sent yet: the first goes when the first backup is made', act)
  try {
    if ((await bucket.size(newest.name, signal)) !== Number(newest.bytes))
      return problem(
        `${bucket.addressOf(newest.name)} is not there as it was sent`,
        'Find out who removed or changed it. The next one goes there with the next backup: ops backup.',
      )
  } catch (error) {
    if (error instanceof BackupFault) return problem(error.message, act)
    throw error
  }
  return byAge(
    newest.began_at,
    'sent',
    act,
    '; it opens with KEY_ENCRYPTION_KEY alone: keep that elsewhere, too',
  )
}

export const backupChecks: readonly Check[] = [
  {
    name: 'backup',
    isWatched: true,
    isOfMachine: true,
    isCheap: true,
    look: async ({ settings, db }) => {
      const folder = backupFolder(settings)
      const fault = folder && (await faultIn(db, folder))
      if (fault) return fault
      const at = await lastBackup({ db })
      const act = folder ? `See the log: the shop makes one each night. ${HOW}` : `Set BACKUP_DIR: ${HOW}`
      if (at) return byAge(at, 'made', act)
      if (folder) return warning('the first is made within minutes of the start', HOW)
      return (settings.isProduction ? problem : warning)('none was ever made', act)
    },
  },
  {
    name: 'bucket',
    isWatched: true,
    look: async ({ settings, db }, signal) => {
      const bucket = backupBucket(settings)
      return bucket
        ? lookInto(db, bucket, signal)
        : ok('BACKUP_S3 is not set: the shop sends no copies elsewhere')
    },
  },
]
