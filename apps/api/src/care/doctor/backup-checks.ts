import { hostname } from 'node:os'
import { findFailedBackup, listBackups } from '#care/backup/backups.queries.ts'
import { backupFolder, type FolderPlace, whyNotFolder } from '#care/backup/folder-place.ts'
import { lastBackup } from '#care/backup/last-backup.ts'
import type { Check } from '#care/doctor/check.ts'
import type { Db } from '#platform/database/client.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'

const HOUR_MS = 3_600_000
/** One a day, and some hours more. */
const OLD_HOURS = 26
const VERY_OLD_HOURS = 72

const HOW = 'docs/running.md#backups'

/** What keeps the shop from making one, or took one away. */
const faultIn = async (db: Db, folder: FolderPlace, signal: AbortSignal): Promise<Finding | undefined> => {
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
  if (newest?.machine === hostname() && (await folder.size(newest.name, signal)) !== Number(newest.bytes))
    return problem(
      `${newest.name} is not in ${folder.title} as it was made`,
      'Find out who moved or changed it. ops backup makes another.',
    )
  return undefined
}

export const backupChecks: readonly Check[] = [
  {
    name: 'backup',
    isWatched: true,
    isOfMachine: true,
    isCheap: true,
    look: async ({ settings, db }, signal) => {
      const folder = backupFolder(settings)
      const fault = folder && (await faultIn(db, folder, signal))
      if (fault) return fault
      const at = await lastBackup({ db })
      const act = folder ? `See the log: the shop makes one each night. ${HOW}` : `Set BACKUP_DIR: ${HOW}`
      if (!at && folder) return warning('the first is made within minutes of the start', HOW)
      if (!at) return (settings.isProduction ? problem : warning)('none was ever made', act)
      const hours = Math.floor((Date.now() - at.getTime()) / HOUR_MS)
      const says = `the last was made ${hours < 1 ? 'within the hour' : `${hours} hours ago`}`
      if (hours >= VERY_OLD_HOURS) return problem(says, act)
      return hours >= OLD_HOURS ? warning(says, act) : ok(says)
    },
  },
]
