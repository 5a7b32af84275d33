import type { ColumnType, Generated, Selectable } from 'kysely'

/** A node's day in London: in how many of its minutes the shop looked, and in how many the node was up. */
export type NodeDaysTable = {
  node_id: string
  day: string
  minutes_watched: number
  minutes_up: number
}

/** What the operator says on the status page. Plain text, and no personal data. */
export type IncidentsTable = {
  id: string
  title: string
  /** By name, as they were then. Empty: all. */
  places: string[]
  /** Maintenance that was announced. */
  is_planned: boolean
  starts_at: Date
  /** When maintenance is to end; null for any other. */
  ends_at: Date | null
  closed_at: Date | null
  created_at: Generated<Date>
}

export type IncidentUpdatesTable = {
  id: string
  incident_id: string
  text: string
  written_at: ColumnType<Date, never, never>
}

export type StatusTables = {
  node_days: NodeDaysTable
  incidents: IncidentsTable
  incident_updates: IncidentUpdatesTable
}

export type IncidentRow = Selectable<IncidentsTable>
