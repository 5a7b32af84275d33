import {
  addConsoleLayer,
  addConsolePlan,
  changeConsoleLayer,
  changeConsolePlan,
  dropPlanChange,
  listConsolePlans,
  type PlanChangeView,
  type PlanView,
  removeConsoleLayer,
  retireConsolePlan,
} from '@hedgerow/contract/console/plans'
import { pricesOf, valuesAt } from '@hedgerow/domain/price-settings'
import type { FastifyInstance } from 'fastify'
import { addLayer, changeLayer, listLayers, removeLayer } from '#desk/backoffice/operate-layers.ts'
import { listPlans } from '#desk/backoffice/operate-plans.ts'
import type { ListedPlan } from '#desk/backoffice/plan-changes.queries.ts'
import { dropPlannedChange, listPlannedChanges, planChange } from '#desk/backoffice/schedule-plans.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { dateOf } from '#desk/console/payments.routes.ts'
import { refused } from '#desk/console/refused.ts'
import { priceChangeView } from '#desk/console/settings.routes.ts'
import type { PlanChangeRow } from '#platform/database/tables/plans.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { listPriceChanges } from '#platform/running-settings/price-changes.ts'
import { readPriceValues } from '#platform/running-settings/running-settings.ts'

type Deps = With<'db'>

const planView = (row: ListedPlan): PlanView => ({
  id: row.id,
  layerId: row.layer_id,
  name: row.name,
  period: row.period,
  connections: row.connections,
  priceMinor: row.price_minor,
  place: row.position,
  retiredAt: row.retired_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

const changeView = (row: PlanChangeRow): PlanChangeView => ({
  id: row.id,
  kind: row.kind,
  planId: row.plan_id,
  layerId: row.layer_id,
  name: row.name,
  period: row.period,
  connections: row.connections,
  priceMinor: row.price_minor,
  place: row.place,
  dueAt: row.due_at.toISOString(),
})

const WHY_NOT = {
  'has-plans': 'there are orders of its plans. Retire those on sale: the shop shows no empty group',
  'is-planned': 'a plan is to come in it: take that back first',
  'has-nodes': 'a node is or was kept for it',
} as const

const layersRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, addConsoleLayer, async ({ body, recordSubject }) => {
    const id = await addLayer(deps, body.name, body.description, body.place)
    recordSubject(id)
    return { id }
  })

  implementForOperators(app, deps, changeConsoleLayer, async ({ params, body }) => {
    if (!(await changeLayer(deps, params.layerId, body))) throw new Problem('layer-not-found')
    return {}
  })

  implementForOperators(app, deps, removeConsoleLayer, async ({ params }) => {
    const outcome = await removeLayer(deps, params.layerId)
    if (outcome === 'none') throw new Problem('layer-not-found')
    if (outcome !== 'removed') throw refused(WHY_NOT[outcome])
    return {}
  })
}

/** Of the calculator, as the shop's cards compare with them. */
const pricesOverTime = async ({ db }: Deps) => {
  const set = await readPriceValues(db)
  const changes = (await listPriceChanges(db)).map(priceChangeView)
  return {
    prices: pricesOf(set),
    pricesFrom: changes.map(({ dueAt }) => ({ dueAt, prices: pricesOf(valuesAt(set, changes, dueAt)) })),
  }
}

/** What is sold, and for how much. */
export const consolePlansRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, listConsolePlans, async ({ query }) => ({
    layers: (await listLayers(deps)).map(({ position, ...layer }) => ({ ...layer, place: position })),
    plans: (await listPlans(deps, query.retired === 'true')).map(planView),
    changes: (await listPlannedChanges(deps)).map(changeView),
    ...(await pricesOverTime(deps)),
  }))

  implementForOperators(app, deps, addConsolePlan, async ({ body, recordSubject }) => {
    const { layerId, place, dueAt, ...terms } = body
    const made = await planChange(deps, { kind: 'add', layerId, terms, place }, dateOf(dueAt))
    recordSubject(made.id)
    return made
  })

  implementForOperators(app, deps, changeConsolePlan, async ({ params: { planId }, body }) => {
    const { place, dueAt, ...terms } = body
    if (Object.keys(terms).length === 0 && place === undefined) throw refused('nothing was to be changed')
    return planChange(deps, { kind: 'change', planId, terms, place }, dateOf(dueAt))
  })

  implementForOperators(app, deps, retireConsolePlan, ({ params: { planId }, body: { dueAt } }) =>
    planChange(deps, { kind: 'retire', planId }, dateOf(dueAt)),
  )

  implementForOperators(app, deps, dropPlanChange, async ({ params: { changeId } }) => {
    await dropPlannedChange(deps, changeId)
    return {}
  })

  layersRoutes(app, deps)
}
