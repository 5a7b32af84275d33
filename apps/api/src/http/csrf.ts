import { randomBytes, timingSafeEqual } from 'node:crypto'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#http/problems.ts'

/** 24 random bytes in base64url. */
const OURS = /^[\w-]{32}$/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const areEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * A browser that carries the cookie must repeat it in a header, which another site's page cannot do; and what it says to
 * come from another site is refused before anything is counted.
 * The gateway and the issuer's page are exempt: they prove themselves otherwise, and come from other sites by nature.
 */
export const requireCsrfToken = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    // The one that nobody else can have planted wins.
    const cookie = request.cookies[SECURE_CSRF_COOKIE] ?? request.cookies[CSRF_COOKIE]
    const isExempt = SAFE_METHODS.has(request.method) || access === 'gateway' || access === 'issuer'
    if (isExempt) return done()
    // A form or a script of another site, which sends no cookie: it would still count for its visitor's address.
    if (request.headers['sec-fetch-site'] === 'cross-site') return done(new Problem('wrong-csrf-token'))
    if (cookie === undefined) return done()
    const header = request.headers[CSRF_HEADER]
    const isRepeated = typeof header === 'string' && areEqual(cookie, header)
    done(isRepeated ? undefined : new Problem('wrong-csrf-token'))
  })
}

/**
 * Gives a page's visitor the cookie, once; in place of one that is none of ours, which no script may be able to repeat.
 * The page's script reads it, so it cannot be HttpOnly.
 */
export const setCsrfCookie = (request: FastifyRequest, reply: FastifyReply, isSecure: boolean): void => {
  const name = isSecure ? SECURE_CSRF_COOKIE : CSRF_COOKIE
  if (OURS.test(request.cookies[name] ?? '')) return
  reply.setCookie(name, randomBytes(24).toString('base64url'), {
    path: '/',
    sameSite: 'lax',
    secure: isSecure,
  })
}
