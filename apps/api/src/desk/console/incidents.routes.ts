import {
  closeConsoleIncident,
  type IncidentView,
  listConsoleIncidents,
  openConsoleIncident,
  updateConsoleIncident,
} from '@hedgerow/contract/console/incidents'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { dateOf } from '#desk/console/serve-list.ts'
import {
  closeIncident,
  getIncident,
  MOST_OPEN,
  MOST_UPDATES,
  openIncident,
  type Refused,
  searchIncidents,
  stateOfIncident,
  updateIncident,
} from '#network/status/incidents.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'

type Deps = With<'db'>

const WHY_NOT: Readonly<Record<Refused, string>> = {
  over: 'it is over',
  'too-many': `it has ${MOST_UPDATES} updates already`,
  'not-planned': 'only maintenance has an end that can be moved',
  'ends-before': 'it would end before it begins',
}

/** What visitors of the status page read. */
export const incidentsRoutes = (app: FastifyInstance, deps: Deps): void => {
  const viewOf = async (id: string): Promise<IncidentView[]> => {
    const found = await getIncident(deps, id)
    if (!found) return []
    const { row, updates } = found
    return [
      {
        id: row.id,
        isPlanned: row.is_planned,
        state: stateOfIncident(row),
        title: row.title,
        places: row.places,
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at?.toISOString() ?? null,
        closedAt: row.closed_at?.toISOString() ?? null,
        updates: updates.map(({ text, written_at }) => ({ at: written_at.toISOString(), text })),
      },
    ]
  }

  implementForOperators(app, deps, listConsoleIncidents, async () => {
    const rows = await searchIncidents(deps, true, 50)
    const views = await Promise.all(rows.map(({ id }) => viewOf(id)))
    return views.flat()
  })

  implementForOperators(app, deps, openConsoleIncident, async ({ body, recordSubject }) => {
    const startsAt = dateOf(body.startsAt) ?? new Date()
    const endsAt = dateOf(body.endsAt)
    if (endsAt && (endsAt <= startsAt || endsAt <= new Date()))
      throw invalidField('endsAt', 'The end has to be later than the beginning, and in the future.')
    if (!endsAt && startsAt.getTime() > Date.now() + 60_000)
      throw invalidField('startsAt', 'Only maintenance can begin in the future. Give its end.')
    const { title, text, places } = body
    const id = await openIncident(deps, { title, text, places, startsAt, endsAt })
    if (id === 'too-many') throw refused(`${MOST_OPEN} incidents are open. Close one first`)
    if (typeof id === 'object')
      throw invalidField('places', `There is no node ${id.unknownPlaces.join(', ')}.`)
    recordSubject(id)
    return { id }
  })

  implementForOperators(app, deps, updateConsoleIncident, async ({ params, body }) => {
    const why = await updateIncident(deps, params.incidentId, {
      text: body.text,
      endsAt: dateOf(body.endsAt),
    })
    if (why) throw refused(WHY_NOT[why])
    return {}
  })

  implementForOperators(app, deps, closeConsoleIncident, async ({ params, body }) => ({
    isChanged: await closeIncident(deps, params.incidentId, body.text),
  }))
}
