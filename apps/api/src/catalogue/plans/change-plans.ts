import { randomUUID } from 'node:crypto'
import {
  findLayerRow,
  findPlanRow,
  insertPlan,
  type ListedPlan,
  listEveryPlan,
  listIdsInLayer,
  placePlans,
  retire,
} from '#catalogue/plans/plan-changes.queries.ts'
import { passOnPlanChanges } from '#catalogue/plans/plan-schedule.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { PlanRow } from '#platform/database/tables/plans.table.ts'
import type { With } from '#platform/dependencies.ts'

export type { ListedPlan } from '#catalogue/plans/plan-changes.queries.ts'

/** What is bought. It never changes: another one follows. */
export type PlanTerms = { name: string; period: string; connections: number; priceMinor: number }

export const listPlans = async ({ db }: With<'db'>, isAll: boolean): Promise<ListedPlan[]> =>
  (await listEveryPlan(db)).filter(({ retired_at }) => isAll || !retired_at)

/** Its place among others; at the end where none is named. */
export const atPlace = (ids: readonly string[], id: string, place: number | undefined): string[] => {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced((place ?? ids.length + 1) - 1, 0, id)
}

const insert = async (
  trx: Trx,
  layerId: string,
  { name, period, connections, priceMinor }: PlanTerms,
  place: number | undefined,
): Promise<string> => {
  const id = randomUUID()
  const ids = await listIdsInLayer(trx, layerId)
  const row = { id, layer_id: layerId, name, period, connections, price_minor: priceMinor }
  await insertPlan(trx, { ...row, position: ids.length + 1 })
  await placePlans(trx, atPlace(ids, id, place))
  return id
}

/** With the plans locked. Undefined when there is no such layer. */
export const addPlanWithin = async (
  trx: Trx,
  layerId: string,
  terms: PlanTerms,
  place?: number,
): Promise<string | undefined> =>
  (await findLayerRow(trx, layerId)) ? insert(trx, layerId, terms, place) : undefined

type Changed = { outcome: 'followed'; id: string } | { outcome: 'moved' | 'same' | 'retired-before' | 'none' }

const termsOf = (row: PlanRow): PlanTerms => ({
  name: row.name,
  period: row.period,
  connections: row.connections,
  priceMinor: row.price_minor,
})

/** Whether the plan, which never changes, would have to be followed by another. */
const isAnother = (row: PlanRow, change: Partial<PlanTerms>): boolean => {
  const before = termsOf(row)
  const terms = { ...before, ...change }
  return (Object.keys(before) as (keyof PlanTerms)[]).some((key) => before[key] !== terms[key])
}

/**
 * Changes what is sold, with the plans locked: the plan is retired and another follows in its place, at the same moment.
 * Only its place changes without that. What was to come for the plan comes to the one that follows it.
 */
export const changePlanWithin = async (
  trx: Trx,
  id: string,
  change: Partial<PlanTerms>,
  place?: number,
): Promise<Changed> => {
  const row = await findPlanRow(trx, id)
  if (!row) return { outcome: 'none' }
  if (row.retired_at) return { outcome: 'retired-before' }
  const ids = await listIdsInLayer(trx, row.layer_id)
  const at = place ?? ids.indexOf(row.id) + 1
  if (!isAnother(row, change)) {
    const placed = atPlace(ids, row.id, at)
    await placePlans(trx, placed)
    return { outcome: placed.every((one, index) => one === ids[index]) ? 'same' : 'moved' }
  }
  await retire(trx, row.id)
  const follower = await insert(trx, row.layer_id, { ...termsOf(row), ...change }, at)
  await passOnPlanChanges(trx, row.id, follower)
  return { outcome: 'followed', id: follower }
}
