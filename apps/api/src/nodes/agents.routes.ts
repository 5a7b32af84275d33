import * as agents from '@hedgerow/contract/agents'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { agentOf } from '#plugins/agent-guard.ts'
import { limited } from '#plugins/rate-limits.ts'
import { agentChanges, enrolAgent, takeAgentReport } from './agents.service.ts'

export const agentsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(
    app,
    agents.enrolAgent,
    (request) => enrolAgent(deps, request.body),
    limited(deps.settings.rateLimitScale, 60, 10),
  )
  implement(app, agents.agentChanges, (request) =>
    agentChanges(deps, agentOf(request), request.query.since, request.query.wait),
  )
  implement(app, agents.agentReport, async (request) => {
    await takeAgentReport(deps, agentOf(request).id, request.body)
    return {}
  })
}
