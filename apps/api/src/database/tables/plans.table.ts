import type { ColumnType, Selectable } from 'kysely'

export type LayersTable = {
  id: string
  name: string
  description: string
  /** Its place among the layers. */
  position: number
}

/** A plan that was on sale once. It is retired and followed by another; the database refuses to change it. */
export type PlansTable = {
  id: string
  layer_id: string
  name: string
  period: string
  connections: number
  price_minor: number
  /** Its place within its layer. */
  position: number
  /** Null: it is on sale. */
  retired_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

export type ShopTables = { layers: LayersTable; plans: PlansTable }

export type LayerRow = Selectable<LayersTable>
export type PlanRow = Selectable<PlansTable>
