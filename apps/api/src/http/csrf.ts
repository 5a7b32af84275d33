import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#http/problems.ts'

const COOKIE = 'XSRF-TOKEN'
const HEADER = 'x-xsrf-token'
/** 24 random bytes in base64url. */
const OURS = /^[\w-]{32}$/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const areEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * A browser that carries the cookie must repeat it in a header, which another site's page cannot do.
 * The gateway and the issuer's page are exempt: they prove themselves otherwise, and come from other sites by nature.
 */
export const requireCsrfToken = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    const cookie = request.cookies[COOKIE]
    const isExempt = SAFE_METHODS.has(request.method) || access === 'gateway' || access === 'issuer'
    if (isExempt || cookie === undefined) return done()
    const header = request.headers[HEADER]
    const isRepeated = typeof header === 'string' && areEqual(cookie, header)
    done(isRepeated ? undefined : new Problem('wrong-csrf-token'))
  })
}

/**
 * Gives a page's visitor the cookie, once; in place of one that is none of ours, which no script may be able to repeat.
 * The page's script reads it, so it cannot be HttpOnly.
 */
export const setCsrfCookie = (request: FastifyRequest, reply: FastifyReply, isSecure: boolean): void => {
  if (OURS.test(request.cookies[COOKIE] ?? '')) return
  reply.setCookie(COOKIE, randomBytes(24).toString('base64url'), {
    path: '/',
    sameSite: 'lax',
    secure: isSecure,
  })
}
