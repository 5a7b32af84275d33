import { randomUUID } from 'node:crypto'
import { isUuid } from '@hedgerow/domain/ids'
import { type IncidentRefusal, MOST_OPEN, MOST_UPDATES } from '@hedgerow/domain/incident-refusals'
import { incidentState } from '@hedgerow/domain/uptime'
import {
  countOpen,
  findIncident,
  insertIncident,
  insertUpdate,
  listIncidents,
  listUnknownPlaces,
  listUpdates,
  lockIncident,
  setClosed,
  setEnd,
} from '#network/status/incidents.queries.ts'
import type { IncidentRow } from '#platform/database/tables/status.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export const stateOfIncident = ({ starts_at, ends_at, closed_at }: IncidentRow) =>
  incidentState({ startsAt: starts_at, endsAt: ends_at, closedAt: closed_at }, new Date())

export type NewIncident = {
  title: string
  text: string
  places: readonly string[]
  startsAt: Date
  /** It is maintenance, and until then. */
  endsAt: Date | undefined
}

/** Tells visitors of something. Returns its id. */
export const openIncident = async (
  { db }: Deps,
  { title, text, places, startsAt, endsAt }: NewIncident,
): Promise<string | { unknownPlaces: string[] } | 'too-many-open'> => {
  const unknownPlaces = await listUnknownPlaces(db, places)
  if (unknownPlaces.length > 0) return { unknownPlaces }
  const id = randomUUID()
  return db.transaction().execute(async (trx) => {
    if ((await countOpen(trx)) >= MOST_OPEN) return 'too-many-open'
    await insertIncident(trx, {
      id,
      title,
      places: [...new Set(places)],
      is_planned: endsAt !== undefined,
      starts_at: startsAt,
      ends_at: endsAt ?? null,
      closed_at: null,
    })
    await insertUpdate(trx, { id: randomUUID(), incident_id: id, text })
    return id
  })
}

type Change = { text?: string | undefined; endsAt?: Date | undefined }

/** Adds to the text of one that is not over, and may move the end of maintenance. */
export const updateIncident = (
  { db }: Deps,
  id: string,
  { text, endsAt }: Change,
): Promise<IncidentRefusal | undefined> =>
  db.transaction().execute(async (trx) => {
    const row = await lockIncident(trx, id)
    if (!row || stateOfIncident(row) === 'over') return 'over'
    if (endsAt && !row.is_planned) return 'not-planned'
    if (endsAt && (endsAt <= row.starts_at || endsAt <= new Date())) return 'ends-before'
    if (text !== undefined && (await listUpdates(trx, id)).length >= MOST_UPDATES) return 'too-many-updates'
    if (endsAt) await setEnd(trx, id, endsAt)
    if (text !== undefined) await insertUpdate(trx, { id: randomUUID(), incident_id: id, text })
    return undefined
  })

/** It is over; a last word may be said with it. False when that was so before. */
export const closeIncident = ({ db }: Deps, id: string, text: string | undefined): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const row = await lockIncident(trx, id)
    if (!row || stateOfIncident(row) === 'over') return false
    await setClosed(trx, id)
    if (text !== undefined) await insertUpdate(trx, { id: randomUUID(), incident_id: id, text })
    return true
  })

export const searchIncidents = ({ db }: Deps, isAll: boolean, most: number): Promise<IncidentRow[]> =>
  listIncidents(db, isAll, most)

export const getIncident = async ({ db }: Deps, id: string) => {
  const row = isUuid(id) ? await findIncident(db, id.toLowerCase()) : undefined
  return row && { row, updates: await listUpdates(db, row.id) }
}
