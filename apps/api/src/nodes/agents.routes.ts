import * as agents from '@hedgerow/contract/agents'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { agentChanges, enrolAgent, takeAgentReport } from '#nodes/agents.service.ts'
import type { NodeDependencies } from '#nodes/node-signal.ts'

export const agentsRoutes = (app: FastifyInstance, deps: Dependencies & NodeDependencies): void => {
  implement(app, agents.enrolAgent, ({ body }) => enrolAgent(deps, body))
  implement(app, agents.agentChanges, ({ agent, query, ip }) =>
    agentChanges(deps, agent, query.since, query.wait, ip, query.lists),
  )
  implement(app, agents.agentReport, async ({ agent, body }) => {
    await takeAgentReport(deps, agent.id, body)
    return {}
  })
}
