import * as plans from '@hedgerow/contract/console/plans'
import { planRefusalText } from '@hedgerow/domain/plan-refusals'
import { pricesOf, valuesAt } from '@hedgerow/domain/price-settings'
import type { FastifyInstance } from 'fastify'
import { addLayer, changeLayer, removeLayer } from '#catalogue/plans/change-layers.ts'
import { listPlans } from '#catalogue/plans/change-plans.ts'
import { listLayerRows } from '#catalogue/plans/plans.service.ts'
import { dropPlannedChange, listPlannedChanges, planChange } from '#catalogue/plans/schedule-plans.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { planChangeView, planView } from '#desk/plans/plans.present.ts'
import { priceChangeView } from '#desk/settings/settings.present.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { listPriceChanges } from '#platform/running-settings/price-changes.ts'
import { readPriceValues } from '#platform/running-settings/running-settings.ts'

type Deps = With<'db'>

const listLayers = async ({ db }: Deps) =>
  (await listLayerRows(db)).map(({ position, ...layer }) => ({ ...layer, place: position }))

const requireChange = (body: object): void => {
  if (Object.keys(body).length === 0) throw refused(planRefusalText('nothing-to-change'))
}

const layersRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  implementForOperators(app, deps, plans.listConsoleLayers, async () => ({ layers: await listLayers(deps) }))

  implementForOperators(app, deps, plans.addConsoleLayer, async ({ body, recordSubject }) => {
    const id = await addLayer(deps, body.name, body.description ?? '', body.place)
    recordSubject(id)
    return { id }
  })

  implementForOperators(app, deps, plans.changeConsoleLayer, async ({ params, body }) => {
    requireChange(body)
    if (!(await changeLayer(deps, params.layerId, body))) throw new Problem('layer-not-found')
    return {}
  })

  implementForOperators(app, deps, plans.removeConsoleLayer, async ({ params }) => {
    const outcome = await removeLayer(deps, params.layerId)
    if (outcome === 'none') throw new Problem('layer-not-found')
    if (outcome !== 'removed') throw refused(planRefusalText(outcome))
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

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time))

/** What is sold, and for how much. */
export const plansRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  implementForOperators(app, deps, plans.listConsolePlans, async ({ query }) => ({
    layers: await listLayers(deps),
    plans: (await listPlans(deps, query.retired !== undefined)).map(planView),
    changes: (await listPlannedChanges(deps)).map(planChangeView),
    ...(await pricesOverTime(deps)),
  }))

  implementForOperators(app, deps, plans.addConsolePlan, async ({ body, recordSubject }) => {
    const { layerId, place, dueAt, ...terms } = body
    const made = await planChange(deps, { kind: 'add', layerId, terms, place }, dateOf(dueAt))
    recordSubject(made.id)
    return made
  })

  implementForOperators(app, deps, plans.changeConsolePlan, async ({ params: { planId }, body }) => {
    const { dueAt, ...change } = body
    requireChange(change)
    const { place, ...terms } = change
    return planChange(deps, { kind: 'change', planId, terms, place }, dateOf(dueAt))
  })

  implementForOperators(app, deps, plans.retireConsolePlan, ({ params: { planId }, body: { dueAt } }) =>
    planChange(deps, { kind: 'retire', planId }, dateOf(dueAt)),
  )

  implementForOperators(app, deps, plans.dropPlanChange, async ({ params: { changeId } }) => {
    await dropPlannedChange(deps, changeId)
    return {}
  })

  layersRoutes(app, deps)
}
