import { randomUUID } from 'node:crypto'
import { planRefusalText } from '@hedgerow/domain/plan-refusals'
import { addPlanWithin, changePlanWithin, type PlanTerms } from '#catalogue/plans/change-plans.ts'
import { findLayerRow, findPlanRow, lockPlans, retire } from '#catalogue/plans/plan-changes.queries.ts'
import { insertPlanChange, type NewPlanChange } from '#catalogue/plans/plan-schedule.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { PlanChangeRow } from '#platform/database/tables/plans.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import {
  addChangeJob,
  listChangesToCome,
  makeDueChanges,
  secondsUntil,
  takeBackChange,
} from '#platform/queue/changes-to-come.ts'

type Deps = With<'db'>

/** What is to be sold otherwise. Of a change, what is left out stays as it is. */
export type PlannedChange =
  | { kind: 'add'; layerId: string; terms: PlanTerms; place?: number | undefined }
  | { kind: 'change'; planId: string; terms: Partial<PlanTerms>; place?: number | undefined }
  | { kind: 'retire'; planId: string }

export const listPlannedChanges = ({ db }: Deps): Promise<PlanChangeRow[]> =>
  listChangesToCome(db, 'plan_changes')

const rowOf = (change: PlannedChange, dueAt: Date): NewPlanChange => {
  const terms: Partial<PlanTerms> = change.kind === 'retire' ? {} : change.terms
  return {
    id: randomUUID(),
    kind: change.kind,
    plan_id: change.kind === 'add' ? null : change.planId,
    layer_id: change.kind === 'add' ? change.layerId : null,
    name: terms.name ?? null,
    period: terms.period ?? null,
    connections: terms.connections ?? null,
    price_minor: terms.priceMinor ?? null,
    place: change.kind === 'retire' ? null : (change.place ?? null),
    due_at: dueAt,
  }
}

const changeOf = (row: PlanChangeRow): PlannedChange => {
  const given = {
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.period === null ? {} : { period: row.period }),
    ...(row.connections === null ? {} : { connections: row.connections }),
    ...(row.price_minor === null ? {} : { priceMinor: row.price_minor }),
  }
  const place = row.place ?? undefined
  if (row.kind === 'add')
    return { kind: 'add', layerId: row.layer_id as string, terms: given as PlanTerms, place }
  const planId = row.plan_id as string
  return row.kind === 'retire' ? { kind: 'retire', planId } : { kind: 'change', planId, terms: given, place }
}

/** Throws 'layer-not-found', 'plan-not-found' and 'operator-refused' of a plan that is retired. */
const requireThere = async (trx: Trx, change: PlannedChange): Promise<void> => {
  if (change.kind === 'add') {
    if (!(await findLayerRow(trx, change.layerId))) throw new Problem('layer-not-found')
    return
  }
  const plan = await findPlanRow(trx, change.planId)
  if (!plan) throw new Problem('plan-not-found')
  if (plan.retired_at) throw new Problem('operator-refused', { detail: planRefusalText('off-sale') })
}

type Made = { id: string; isNew: boolean }

/** The id of the plan that is sold after it, and whether anything is sold otherwise. */
const make = async (trx: Trx, change: PlannedChange): Promise<Made> => {
  if (change.kind === 'add') {
    const id = await addPlanWithin(trx, change.layerId, change.terms, change.place)
    return { id: id ?? change.layerId, isNew: true }
  }
  if (change.kind === 'retire') return { id: change.planId, isNew: await retire(trx, change.planId) }
  const changed = await changePlanWithin(trx, change.planId, change.terms, change.place)
  return {
    id: changed.outcome === 'followed' ? changed.id : change.planId,
    isNew: changed.outcome === 'followed' || changed.outcome === 'moved',
  }
}

export type Planned = Made & { isDone: boolean }

/**
 * Makes a change now, or has it made at a moment to come; a moment that has passed is now. Throws 'layer-not-found',
 * 'plan-not-found' and 'operator-refused'.
 */
export const planChange = ({ db }: Deps, change: PlannedChange, dueAt?: Date): Promise<Planned> =>
  db.transaction().execute(async (trx) => {
    await lockPlans(trx)
    await requireThere(trx, change)
    if (!dueAt || (await secondsUntil(trx, dueAt)) <= 0) return { ...(await make(trx, change)), isDone: true }
    const row = rowOf(change, dueAt)
    await insertPlanChange(trx, row)
    await addChangeJob(trx, 'plan_changes', { id: row.id, due_at: dueAt })
    return { id: row.id, isNew: true, isDone: false }
  })

/** What cannot be made any more, as its plan or layer has gone, ends without. */
const makeIfThere = async (trx: Trx, change: PlannedChange): Promise<void> => {
  const plan = change.kind === 'add' ? undefined : await findPlanRow(trx, change.planId)
  if (change.kind === 'add' ? await findLayerRow(trx, change.layerId) : plan && !plan.retired_at)
    await make(trx, change)
}

export const makePlanChange = ({ db }: Deps, changeId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockPlans(trx)
    await makeDueChanges(trx, 'plan_changes', changeId, (row) => makeIfThere(trx, changeOf(row)))
  })

/** Throws 'change-not-found' where it was made or taken back before. */
export const dropPlannedChange = async ({ db }: Deps, changeId: string): Promise<void> => {
  if (!(await takeBackChange(db, 'plan_changes', changeId))) throw new Problem('change-not-found')
}
