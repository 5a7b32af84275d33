import * as agents from '@hedgerow/contract/agents'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { agentOf } from '#nodes/agent-guard.ts'
import { agentChanges, enrolAgent, takeAgentReport } from '#nodes/agents.service.ts'
import type { NodeDependencies } from '#nodes/node-signal.ts'

export const agentsRoutes = (app: FastifyInstance, deps: Dependencies & NodeDependencies): void => {
  implement(app, agents.enrolAgent, (request) => enrolAgent(deps, request.body))
  implement(app, agents.agentChanges, (request) =>
    agentChanges(deps, agentOf(request), request.query.since, request.query.wait),
  )
  implement(app, agents.agentReport, async (request) => {
    await takeAgentReport(deps, agentOf(request).id, request.body)
    return {}
  })
}
