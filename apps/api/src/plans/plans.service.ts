import type { Layer, ShopItem } from '@hedgerow/contract/plans'
import type { With } from '#dependencies.ts'
import { presentItem, presentLayer } from '#plans/plans.present.ts'
import { listLayersOnSale, listPlanRows } from '#plans/plans.queries.ts'

export { findPlan, listLayerRows } from '#plans/plans.queries.ts'

export const listLayers = async ({ db }: With<'db'>): Promise<Layer[]> =>
  (await listLayersOnSale(db)).map(presentLayer)

export const listItems = async ({ db }: With<'db'>): Promise<ShopItem[]> =>
  (await listPlanRows(db)).map(presentItem)
