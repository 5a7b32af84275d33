import type { FastifyInstance } from 'fastify'
import type { AgentNodeRow } from '#network/agents/agents.queries.ts'
import { findAgent } from '#network/agents/agents.service.ts'
import type { With } from '#platform/dependencies.ts'
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

/** Asks which node's agent calls before anything else, on every endpoint that is for agents. */
export const guardAgents = (app: FastifyInstance, deps: With<'db'>): void => {
  app.decorateRequest('agent', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.access !== 'agent') return done()
    const secret = bearerOf(request)
    if (!secret) return done(new Problem('not-an-agent'))
    findAgent(deps, secret).then((agent) => {
      request.agent = agent
      done(agent ? undefined : new Problem('not-an-agent'))
    }, done)
  })
}
