import type { FastifyInstance } from 'fastify'
import type { AgentNodeRow } from '#network/agents/agents.queries.ts'
import { findAgent } from '#network/agents/agents.service.ts'
import type { With } from '#platform/dependencies.ts'
import { guardCallers } from '#platform/http/guard-callers.ts'
import { Problem } from '#platform/http/problems.ts'
import { bearerOf } from '#platform/http/session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentNodeRow | undefined
  }
}

declare module '#platform/http/implement.ts' {
  interface Callers {
    agent: { agent: AgentNodeRow }
  }
}

/** Asks which node's agent calls, on every endpoint that is for agents. */
export const guardAgents = (app: FastifyInstance, deps: With<'db'>): void => {
  app.decorateRequest('agent', undefined)
  guardCallers(app, 'agent', async (request) => {
    const secret = bearerOf(request)
    request.agent = secret ? await findAgent(deps, secret) : undefined
    if (!request.agent) throw new Problem('not-an-agent')
  })
}
