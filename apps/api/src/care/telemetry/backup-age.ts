import { sql } from 'kysely'
import { source } from '#care/telemetry/read-at-scrape.ts'

/** By the record of what operators did: a backup writes there that it was taken. Until the first there is no age. */
export const backupSource = source({
  families: {
    hedgerow_backup_age_seconds: { help: 'How long ago the last backup by the operator’s tool was begun' },
  },
  read: async (db) => {
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from now() - max(at))::float8 as seconds from operator_actions
      where command = 'backup' and outcome = 'done'`.execute(db)
    const seconds = rows[0]?.seconds ?? null
    return { hedgerow_backup_age_seconds: seconds === null ? [] : [{ value: seconds }] }
  },
})
