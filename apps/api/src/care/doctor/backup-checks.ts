import { lastBackup } from '#care/backup/last-backup.ts'
import type { Check } from '#care/doctor/check.ts'
import { ok, problem, warning } from '#platform/doctor/finding.ts'

const HOUR_MS = 3_600_000
/** One a day, and some hours more. */
const OLD_HOURS = 26
const VERY_OLD_HOURS = 72

export const backupChecks: readonly Check[] = [
  {
    name: 'backup',
    isWatched: true,
    isCheap: true,
    look: async ({ settings, db }) => {
      const at = await lastBackup({ db })
      const act = 'ops backup, by a timer: docs/running.md#backups'
      if (!at) return (settings.isProduction ? problem : warning)('ops backup has never written one', act)
      const hours = Math.floor((Date.now() - at.getTime()) / HOUR_MS)
      const says = `the last was written ${hours < 1 ? 'within the hour' : `${hours} hours ago`}`
      if (hours >= VERY_OLD_HOURS) return problem(says, act)
      return hours >= OLD_HOURS ? warning(says, act) : ok(says)
    },
  },
]
