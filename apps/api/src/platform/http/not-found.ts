import type { FastifyInstance } from 'fastify'
import { sendProblem } from '#platform/http/problem-handler.ts'
import { Problem } from '#platform/http/problems.ts'

const isForApi = (url: string) => url.startsWith('/api/')
/** A page has no use for a page in place of a script or a picture. */
const isForPrograms = (url: string) => isForApi(url) || url.startsWith('/assets/')

/** Two slashes, a backslash, a null character or dots that climb: no page has them, and file servers stumble over them. */
const UNREADABLE = /\/\/|\\|\0|\/\.\.(?:\/|$)/

const isReadable = (url: string) => {
  try {
    return !UNREADABLE.test(decodeURIComponent(url.split('?', 1)[0] ?? ''))
  } catch {
    return false
  }
}

/** A page is not sought at an unreadable address, but where nothing is: people get the page that helps. */
export const soughtAt = (url: string): string => (isForApi(url) || isReadable(url) ? url : '/nowhere')

/** A path that leads nowhere: a page that helps for people, a problem for programs. */
export const answerUnknownPaths = (app: FastifyInstance, page: string | undefined): void => {
  app.setNotFoundHandler((request, reply) => {
    if (page === undefined || isForPrograms(request.url) || request.method !== 'GET') {
      return sendProblem(reply, new Problem('not-found'))
    }
    return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}
