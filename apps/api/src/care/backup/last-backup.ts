import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** When a backup was last made, by the shop itself or by the operator's tool: when that began, and when it ended. */
export const readLastBackup = async (db: Db) => {
  const { rows } = await sql<{ began_at: Date; ended_at: Date; age: number }>`
    select began_at, ended_at, extract(epoch from now() - began_at)::float8 as age from (
      select began_at, ended_at from backups where ended_at is not null and machine <> ''
      union all
      select at, ended_at from operator_actions where command = 'backup' and outcome = 'done'
    ) as made order by began_at desc limit 1`.execute(db)
  return rows[0]
}

export const lastBackup = async ({ db }: With<'db'>): Promise<Date | undefined> =>
  (await readLastBackup(db))?.ended_at
