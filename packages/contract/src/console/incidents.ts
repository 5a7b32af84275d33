import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, limit, lines, moment, optional, queryTick, shapeOf, text } from './fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const IncidentView = z.object({
  id: z.string(),
  isPlanned: z.boolean(),
  state: z.enum(['planned', 'open', 'over']),
  title: z.string(),
  places: z.array(z.string()),
  startsAt: Time,
  endsAt: z.nullable(Time),
  closedAt: z.nullable(Time),
  updates: z.array(z.object({ at: Time, text: z.string() })),
})
export type IncidentView = z.infer<typeof IncidentView>

const incidentColumns = columnsOf<IncidentView>([
  { name: 'id', title: 'Incident', kind: 'id' },
  { name: 'state', title: 'Status', kind: 'word' },
  { name: 'isPlanned', title: 'Maintenance', kind: 'yes' },
  { name: 'startsAt', title: 'From', kind: 'time' },
  { name: 'endsAt', title: 'Until', kind: 'time' },
  { name: 'closedAt', title: 'Closed', kind: 'time' },
  { name: 'places', title: 'Nodes', kind: 'word' },
  { name: 'title', title: 'Title', kind: 'text' },
])

const seesIncidents = {
  access: 'operator',
  permission: 'incidents.see',
  consequence: 'looks',
  record: 'reads',
} as const
const changesIncidents = {
  access: 'operator',
  permission: 'incidents.change',
  consequence: 'publishes',
} as const

const listFields = { isAll: queryTick('Those that are over too'), limit: limit('So many of the newest', 50) }

export const listConsoleIncidents = operatorEndpoint({
  ...consoleRoutes.listConsoleIncidents,
  ...seesIncidents,
  command: 'incident list',
  summary: 'Incidents and maintenance on the status page, those that are not over first',
  fields: listFields,
  columns: incidentColumns,
  schema: { querystring: z.object(shapeOf(listFields)), response: { 200: z.array(IncidentView) } },
})

const ofIncident = z.object({ incidentId: Uuid })

export const getConsoleIncident = operatorEndpoint({
  ...consoleRoutes.getConsoleIncident,
  ...seesIncidents,
  command: 'incident show',
  summary: 'One incident with all its updates',
  schema: { params: ofIncident, response: { 200: IncidentView } },
  problems: [404],
})

const INCIDENT_TEXT = 2_000
const PLAIN = z.regex(/^[\P{Cc}\n\t]*$/u, 'Please write plain text.')
const published = (label: string) => ({
  kind: 'words' as const,
  label,
  most: INCIDENT_TEXT,
  schema: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please write what is the matter.'), z.maxLength(INCIDENT_TEXT), PLAIN),
})

const openFields = {
  title: text(
    'Title',
    z.string().check(z.trim(), z.minLength(1, 'Please enter a title.'), z.maxLength(100), PLAIN),
  ),
  text: published('What is known'),
  places: {
    ...lines('Nodes', { hint: 'Their names. All nodes if left empty' }),
    schema: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)), []),
  },
  startsAt: optional(moment('From', { hint: 'Now if left empty' })),
  endsAt: optional(moment('Until', { hint: 'Makes it maintenance, which is planned to end then' })),
}

export const openConsoleIncident = operatorEndpoint({
  ...consoleRoutes.openConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident open' },
  summary: 'Publish an incident or, with an end, maintenance: at once, on the status page and in its feed',
  done: 'It is on the status page',
  fields: openFields,
  schema: { body: bodyOf(openFields), response: { 201: z.object({ id: z.string() }) } },
  problems: [409],
})

const updateFields = {
  text: optional(published('What is new')),
  endsAt: optional(moment('Until', { hint: 'The new end of maintenance' })),
}

export const updateConsoleIncident = operatorEndpoint({
  ...consoleRoutes.updateConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident update', subject: 'incidentId' },
  summary: 'Add an update to one that is not over, or move the end of maintenance',
  done: 'It is on the status page',
  fields: updateFields,
  schema: { params: ofIncident, body: bodyOf(updateFields), response: { 200: z.object({}) } },
  problems: [404, 409],
})

const closeFields = { text: optional(published('A last update')) }

export const closeConsoleIncident = operatorEndpoint({
  ...consoleRoutes.closeConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident close', subject: 'incidentId' },
  summary: 'Say that an incident or maintenance is over',
  done: 'The status page shows it for another 90 days',
  fields: closeFields,
  schema: {
    params: ofIncident,
    body: bodyOf(closeFields),
    response: { 200: z.object({ isChanged: z.boolean() }) },
  },
  problems: [404],
})
