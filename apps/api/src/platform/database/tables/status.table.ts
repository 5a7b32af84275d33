import type { ColumnType, Generated, Selectable } from 'kysely'

/** A node's day in London: in how many of its minutes the shop looked, and in how many the node was up. */
export type NodeDaysTable = {
  node_id: string
  day: string
  minutes_watched: number
  minutes_up: number
}

/** What a node's agent said of a minute, and how the shop's own tries from outside went. */
export type NodeMinutesTable = {
  node_id: string
  minute: Date
  /** Connected; null, as the four that follow, until its agent has said it. */
  peers: number | null
  /** Bytes. */
  received: string | null
  sent: string | null
  /** Percent. */
  processor: number | null
  errors: number | null
  /** Of the oldest block list. */
  lists_age_hours: number | null
  tries: Generated<number>
  lost: Generated<number>
}

/** The sums of a node's minutes, and the highest of some. */
export type NodeHoursTable = {
  node_id: string
  hour: Date
  /** So many of its minutes were reported. */
  minutes: Generated<number>
  peers: Generated<string>
  peers_most: Generated<number>
  received: Generated<string>
  sent: Generated<string>
  processor: Generated<number>
  processor_most: Generated<number>
  errors: Generated<string>
  lists_age_hours: number | null
  tries: Generated<number>
  lost: Generated<number>
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
  node_minutes: NodeMinutesTable
  node_hours: NodeHoursTable
  incidents: IncidentsTable
  incident_updates: IncidentUpdatesTable
}

export type IncidentRow = Selectable<IncidentsTable>
