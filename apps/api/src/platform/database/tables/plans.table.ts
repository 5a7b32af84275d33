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

/** What is to be sold otherwise from a moment on. Of a change, what is null stays as it is. */
export type PlanChangesTable = {
  id: string
  kind: 'add' | 'change' | 'retire'
  /** Null of one that is added. */
  plan_id: string | null
  /** Of one that is added. */
  layer_id: string | null
  name: string | null
  period: string | null
  connections: number | null
  price_minor: number | null
  place: number | null
  due_at: Date
  created_at: ColumnType<Date, Date | undefined, never>
  /** When it was made, or could not be any more. */
  ended_at: Date | null
}

export type ShopTables = { layers: LayersTable; plans: PlansTable; plan_changes: PlanChangesTable }

export type LayerRow = Selectable<LayersTable>
export type PlanRow = Selectable<PlansTable>
export type PlanChangeRow = Selectable<PlanChangesTable>
