import type { Layer, ShopItem } from '@hedgerow/contract/plans'
import type { PlanOnSale } from '#catalogue/plans/plans.queries.ts'
import type { LayerRow } from '#platform/database/tables/plans.table.ts'

export const presentLayer = (row: LayerRow): Layer => ({
  _id: row.id,
  name: row.name,
  description: row.description,
})

export const presentItem = (row: PlanOnSale): ShopItem => ({
  _id: row.id,
  name: row.name,
  period: row.period,
  numOfConnections: row.connections,
  price: row.price_minor,
  layer: { _id: row.layer_id },
  layerOrder: row.position,
})
