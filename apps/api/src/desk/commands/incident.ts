import * as incidents from '@hedgerow/contract/console/incidents'
import type { Command } from 'commander'
import { incidentsRoutes } from '#desk/incidents/incidents.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addIncident = (program: Command): Command =>
  addCalls(program, {
    name: 'incident',
    summary: 'incidents on the status page',
    description:
      'Incidents and maintenance on the status page. It is public: name no customers and give away no secrets.',
    contract: [incidents],
    answer: incidentsRoutes,
  })
