import { GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
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

/** Beside what operators set: the gateway for cards that has not answered lately, and how often in a row. */
const SILENT = 'silent-card-gateway'

/** So many questions in a row without an answer, a third of a minute apart. */
export const SILENT_AFTER = 3

export type Silence = { gateway: GatewayName; failed: number }

const silenceIn = (value: unknown): Silence | undefined => {
  const { gateway, failed } = (value ?? {}) as Record<string, unknown>
  const known = GATEWAYS.find((name) => name === gateway)
  return known && typeof failed === 'number' ? { gateway: known, failed } : undefined
}

/** Of all running settings. Undefined: each answers. */
export const silentOf = (rows: readonly { name: string; value: unknown }[]): GatewayName | undefined => {
  const silence = silenceIn(rows.find(({ name }) => name === SILENT)?.value)
  return silence && silence.failed >= SILENT_AFTER ? silence.gateway : undefined
}

/** `since`: when its last question failed that was counted. */
export const findSilence = async (db: Db): Promise<(Silence & { since: Date }) | undefined> => {
  const row = await db
    .selectFrom('running_settings')
    .select(['value', 'set_at'])
    .where('name', '=', SILENT)
    .executeTakeFirst()
  const silence = silenceIn(row?.value)
  return row && silence && { ...silence, since: row.set_at }
}

/** Null: it answers again. */
export const noteSilence = async (db: Db, silence: Silence | null): Promise<void> => {
  if (!silence) {
    await db.deleteFrom('running_settings').where('name', '=', SILENT).execute()
    return
  }
  const json = JSON.stringify(silence)
  await sql`
    insert into running_settings (name, value) values (${SILENT}, ${json}::jsonb)
    on conflict (name) do update set value = excluded.value, set_at = now()`.execute(db)
}
