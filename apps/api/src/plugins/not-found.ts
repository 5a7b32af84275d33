import type { FastifyInstance } from 'fastify'
import { Problem } from '#problems.ts'
import { sendProblem } from './problem-handler.ts'

const isForPrograms = (url: string) => url.startsWith('/api/')

/** A path that leads nowhere: a page that helps for people, a problem for programs. */
export const answerUnknownPaths = (app: FastifyInstance, page: string | undefined): void => {
  app.setNotFoundHandler((request, reply) => {
    if (page === undefined || isForPrograms(request.url) || request.method !== 'GET') {
      return sendProblem(reply, new Problem('not-found'))
    }
    return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}
