import * as agents from '@hedgerow/contract/agents'
import type { FastifyInstance } from 'fastify'
import { agentChanges, enrolAgent, takeAgentReport } from '#network/agents/agents.service.ts'
import type { NodeDependencies } from '#network/agents/node-signal.ts'
import { archivePart, takeUpgradeReport } from '#network/agents/upgrades.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'

export const agentsRoutes = (app: FastifyInstance, deps: Dependencies & NodeDependencies): void => {
  implement(app, agents.enrolAgent, ({ body }) => enrolAgent(deps, body))
  implement(app, agents.agentChanges, ({ agent, query, ip }) => agentChanges(deps, agent, query, ip))
  implement(app, agents.agentReport, async ({ agent, body }) => {
    await takeAgentReport(deps, agent.id, body)
    return {}
  })
  implement(app, agents.agentArchive, async ({ agent, query }, reply) => {
    reply.type('application/octet-stream')
    return archivePart(deps, agent.id, query.upgrade, query.part)
  })
  implement(app, agents.agentUpgradeReport, async ({ agent, body }) => {
    await takeUpgradeReport(deps, agent.id, body)
    return {}
  })
}
