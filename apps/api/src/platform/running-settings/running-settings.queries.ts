import type { RunningSetting, RunningValue } from '@hedgerow/domain/running-settings'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** With who set it, by name; null where that is not known any more. */
export const listRunningSettings = (db: Db) =>
  db
    .selectFrom('running_settings')
    .leftJoin('operators', 'operators.id', 'running_settings.operator_id')
    .select(['running_settings.name', 'value', 'set_at', 'operators.name as by'])
    .execute()

export const putRunningSetting = async (
  db: Db,
  name: RunningSetting,
  value: RunningValue,
  operatorId: string | null,
): Promise<void> => {
  const json = JSON.stringify(value)
  await sql`
    insert into running_settings (name, value, operator_id) values (${name}, ${json}::jsonb, ${operatorId})
    on conflict (name) do update set value = excluded.value, operator_id = excluded.operator_id, set_at = now()`.execute(
    db,
  )
}

export const deleteRunningSetting = async (db: Db, name: RunningSetting): Promise<void> => {
  await db.deleteFrom('running_settings').where('name', '=', name).execute()
}
