import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
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

export const listConsoleIncidents = operatorEndpoint({
  ...consoleRoutes.listConsoleIncidents,
  access: 'operator',
  permission: 'incidents.see',
  record: 'reads',
  summary: 'Incidents and maintenance on the status page, the newest first',
  schema: { response: { 200: z.array(IncidentView) } },
})

const INCIDENT_TEXT = 2_000
const words = z
  .string()
  .check(z.trim(), z.minLength(1, 'Please write what is the matter.'), z.maxLength(INCIDENT_TEXT))
const changesIncidents = { access: 'operator', permission: 'incidents.change' } as const

export const openConsoleIncident = operatorEndpoint({
  ...consoleRoutes.openConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident open' },
  summary: 'Tell visitors of an incident, or with an end, of maintenance',
  schema: {
    body: z.object({
      title: z.string().check(z.trim(), z.minLength(1, 'Please enter a title.'), z.maxLength(100)),
      text: words,
      /** Names of nodes; all of them where none is named. */
      places: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)), []),
      startsAt: z.optional(z.iso.datetime()),
      endsAt: z.optional(z.iso.datetime()),
    }),
    response: { 201: z.object({ id: z.string() }) },
  },
  problems: [409],
})

const ofIncident = z.object({ incidentId: Uuid })

export const updateConsoleIncident = operatorEndpoint({
  ...consoleRoutes.updateConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident update', subject: 'incidentId' },
  summary: 'Add to what is told of one that is not over, or move the end of maintenance',
  schema: {
    params: ofIncident,
    body: z.object({ text: z.optional(words), endsAt: z.optional(z.iso.datetime()) }),
    response: { 200: z.object({}) },
  },
  problems: [409],
})

export const closeConsoleIncident = operatorEndpoint({
  ...consoleRoutes.closeConsoleIncident,
  ...changesIncidents,
  record: { changes: 'incident close', subject: 'incidentId' },
  summary: 'Say that it is over',
  schema: {
    params: ofIncident,
    body: z.object({ text: z.optional(words) }),
    response: { 200: z.object({ isChanged: z.boolean() }) },
  },
})
