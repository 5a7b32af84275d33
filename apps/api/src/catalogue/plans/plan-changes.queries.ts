import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { LayerRow, PlanRow } from '#platform/database/tables/plans.table.ts'

/** Who changes what is sold takes turns with everyone who does; customers only read, and do not wait. */
export const lockPlans = async (trx: Trx): Promise<void> => {
  await sql`lock table layers in share row exclusive mode`.execute(trx)
}

export const listEveryPlan = (db: Db) =>
  db
    .selectFrom('plans')
    .innerJoin('layers', 'layers.id', 'plans.layer_id')
    .selectAll('plans')
    .select('layers.name as layer_name')
    .orderBy('layers.position')
    .orderBy(sql`plans.retired_at is not null`)
    .orderBy('plans.position')
    .orderBy('plans.created_at')
    .execute()

export type ListedPlan = Awaited<ReturnType<typeof listEveryPlan>>[number]

export const findPlanRow = (db: Db, id: string): Promise<PlanRow | undefined> =>
  db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()

export type NewPlan = Pick<
  PlanRow,
  'id' | 'layer_id' | 'name' | 'period' | 'connections' | 'price_minor' | 'position'
>

export const insertPlan = async (trx: Trx, plan: NewPlan): Promise<void> => {
  await trx.insertInto('plans').values(plan).execute()
}

/** False when it was retired before. */
export const retire = async (trx: Trx, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('plans')
    .set({ retired_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Those on sale in a layer, in their order. */
export const listIdsInLayer = async (trx: Trx, layerId: string): Promise<string[]> => {
  const rows = await trx
    .selectFrom('plans')
    .select('id')
    .where('layer_id', '=', layerId)
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .execute()
  return rows.map(({ id }) => id)
}

export const placePlans = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await sql`update plans set position = place from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    where plans.id = wanted.id and position <> place`.execute(trx)
}

export const findLayerRow = (db: Db, id: string): Promise<LayerRow | undefined> =>
  db.selectFrom('layers').selectAll().where('id', '=', id).executeTakeFirst()

export const insertLayer = async (trx: Trx, layer: Omit<LayerRow, 'position'>): Promise<void> => {
  await sql`insert into layers (id, name, description, position)
    select ${layer.id}, ${layer.name}, ${layer.description}, coalesce(max(position), 0) + 1 from layers`.execute(
    trx,
  )
}

export const updateLayer = async (
  trx: Trx,
  id: string,
  words: { name?: string | undefined; description?: string | undefined },
): Promise<void> => {
  await sql`update layers set name = coalesce(${words.name ?? null}, name),
    description = coalesce(${words.description ?? null}, description) where id = ${id}`.execute(trx)
}

/** No two may have one place at any moment, so they step aside first. */
export const placeLayers = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await sql`update layers set position = -position where position > 0`.execute(trx)
  await sql`update layers set position = place from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    where layers.id = wanted.id`.execute(trx)
}

type Uses = { plans: boolean; planned: boolean; nodes: boolean }

/** Whether a plan was ever in it, or is to come, and whether a node is or was kept for it. */
export const usesOfLayer = async (trx: Trx, id: string): Promise<Uses> => {
  const { rows } = await sql<Uses>`
    select exists (select from plans where layer_id = ${id}) as plans,
      exists (select from plan_changes where layer_id = ${id} and ended_at is null) as planned,
      exists (select from nodes where layer_id = ${id}) as nodes`.execute(trx)
  return rows[0] ?? { plans: true, planned: true, nodes: true }
}

export const deleteLayer = async (trx: Trx, id: string): Promise<void> => {
  await trx.deleteFrom('layers').where('id', '=', id).execute()
}
