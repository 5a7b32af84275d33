import { createKnownMethods } from '@hedgerow/io/known-methods'
import type { FastifyInstance } from 'fastify'
import { Problem } from '#platform/http/problems.ts'

const asList = (method: string | readonly string[]) => (typeof method === 'string' ? [method] : method)

/**
 * Tells a call at an address that is known, by a method that is not, which methods there are. To be registered before
 * the routes. Returns how an address is made known that no route of its own leads to.
 */
export const refuseOtherMethods = (app: FastifyInstance): ((path: string) => void) => {
  const known = createKnownMethods()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('*')) known.add(url, asList(method))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: pattern } = request.routeOptions
    // The files' own route takes any address.
    if (pattern !== undefined && !pattern.endsWith('*')) return done()
    const allow = known.at(request.url)
    if (allow.length === 0 || allow.includes(request.method)) return done()
    const detail = `Use ${allow.join(' or ')} at this address, not ${request.method}.`
    done(new Problem('method-not-allowed', { detail, allow }))
  })
  return (path) => known.add(path, ['GET', 'HEAD'])
}
