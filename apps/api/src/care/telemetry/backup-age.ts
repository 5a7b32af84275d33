import { readLastBackup } from '#care/backup/last-backup.ts'
import { source } from '#care/telemetry/read-at-scrape.ts'

/** Until the first there is no age. */
export const backupSource = source({
  families: {
    hedgerow_backup_age_seconds: {
      help: 'How long ago the last backup was begun, by the shop or the operator’s tool',
    },
  },
  read: async (db) => {
    const last = await readLastBackup(db)
    return { hedgerow_backup_age_seconds: last ? [{ value: last.age }] : [] }
  },
})
