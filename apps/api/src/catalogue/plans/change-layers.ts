import { randomUUID } from 'node:crypto'
import type { PlanRefusal } from '@hedgerow/domain/plan-refusals'
import { atPlace } from '#catalogue/plans/change-plans.ts'
import {
  deleteLayer,
  findLayerRow,
  insertLayer,
  lockPlans,
  placeLayers,
  updateLayer,
  usesOfLayer,
} from '#catalogue/plans/plan-changes.queries.ts'
import { listLayerRows } from '#catalogue/plans/plans.service.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export const addLayer = ({ db }: Deps, name: string, description: string, place?: number): Promise<string> =>
  db.transaction().execute(async (trx) => {
    await lockPlans(trx)
    const id = randomUUID()
    const ids = (await listLayerRows(trx)).map((layer) => layer.id)
    await insertLayer(trx, { id, name, description })
    await placeLayers(trx, atPlace(ids, id, place))
    return id
  })

type LayerChange = { name?: string | undefined; description?: string | undefined; place?: number | undefined }

/** False when there is none. */
export const changeLayer = ({ db }: Deps, id: string, { place, ...words }: LayerChange): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockPlans(trx)
    const layer = await findLayerRow(trx, id)
    if (!layer) return false
    await updateLayer(trx, layer.id, words)
    const ids = (await listLayerRows(trx)).map((one) => one.id)
    if (place !== undefined) await placeLayers(trx, atPlace(ids, layer.id, place))
    return true
  })

/** Only one that nothing was ever in or kept for: orders name their plans, and plans their layer. */
export const removeLayer = ({ db }: Deps, id: string): Promise<'removed' | 'none' | PlanRefusal> =>
  db.transaction().execute(async (trx) => {
    await lockPlans(trx)
    if (!(await findLayerRow(trx, id))) return 'none'
    const uses = await usesOfLayer(trx, id)
    if (uses.plans) return 'has-plans'
    if (uses.planned) return 'is-planned'
    if (uses.nodes) return 'has-nodes'
    await deleteLayer(trx, id)
    return 'removed'
  })
