import {
  closeConsoleIncident,
  getConsoleIncident,
  type IncidentView,
  listConsoleIncidents,
  openConsoleIncident,
  updateConsoleIncident,
} from '@hedgerow/contract/console/incidents'
import { DAY_MS } from '@hedgerow/domain/dates'
import { incidentRefusalText } from '@hedgerow/domain/incident-refusals'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  closeIncident,
  getIncident,
  openIncident,
  searchIncidents,
  stateOfIncident,
  updateIncident,
} from '#network/status/incidents.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

const FURTHEST_MS = 366 * DAY_MS

type Found = NonNullable<Awaited<ReturnType<typeof getIncident>>>

const view = ({ row, updates }: Found): IncidentView => ({
  id: row.id,
  isPlanned: row.is_planned,
  state: stateOfIncident(row),
  title: row.title,
  places: row.places,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  closedAt: row.closed_at?.toISOString() ?? null,
  updates: updates.map(({ text, written_at }) => ({ at: written_at.toISOString(), text })),
})

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time))

/** What visitors of the status page read. */
export const incidentsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const found = async (id: string): Promise<Found> => {
    const incident = await getIncident(deps, id)
    if (!incident) throw new Problem('incident-not-found')
    return incident
  }

  implementForOperators(app, deps, listConsoleIncidents, async ({ query: { isAll, limit } }) => {
    const rows = await searchIncidents(deps, isAll !== false, limit)
    return Promise.all(rows.map(async ({ id }) => view(await found(id))))
  })

  implementForOperators(app, deps, getConsoleIncident, async ({ params }) =>
    view(await found(params.incidentId)),
  )

  implementForOperators(app, deps, openConsoleIncident, async ({ body, recordSubject }) => {
    const startsAt = dateOf(body.startsAt) ?? new Date()
    const endsAt = dateOf(body.endsAt)
    if (endsAt && (endsAt <= startsAt || endsAt <= new Date()))
      throw invalidField('endsAt', incidentRefusalText('ends-before'))
    if (!endsAt && startsAt.getTime() > Date.now() + 60_000)
      throw invalidField('startsAt', 'Only maintenance can begin in the future. Give its end.')
    if (Math.max(startsAt.getTime(), endsAt?.getTime() ?? 0) > Date.now() + FURTHEST_MS)
      throw invalidField(endsAt ? 'endsAt' : 'startsAt', 'That is more than a year away.')
    const { title, text, places } = body
    const id = await openIncident(deps, { title, text, places, startsAt, endsAt })
    if (id === 'too-many-open') throw refused(incidentRefusalText(id))
    if (typeof id === 'object')
      throw invalidField('places', `There is no node ${id.unknownPlaces.join(', ')}.`)
    recordSubject(id)
    return { id }
  })

  implementForOperators(app, deps, updateConsoleIncident, async ({ params, body }) => {
    if (body.text === undefined && body.endsAt === undefined)
      throw invalidField('text', 'Write what is new, or give a new end of maintenance.')
    const { row } = await found(params.incidentId)
    const why = await updateIncident(deps, row.id, { text: body.text, endsAt: dateOf(body.endsAt) })
    if (why) throw refused(incidentRefusalText(why))
    return {}
  })

  implementForOperators(app, deps, closeConsoleIncident, async ({ params, body }) => ({
    isChanged: await closeIncident(deps, (await found(params.incidentId)).row.id, body.text),
  }))
}
