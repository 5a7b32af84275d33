import { randomBytes, timingSafeEqual } from 'node:crypto'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownCookieName, setOwnCookie } from '#platform/http/own-cookies.ts'
import { Problem } from '#platform/http/problems.ts'

/** 24 random bytes in base64url. */
const OURS = /^[\w-]{32}$/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const areEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** How a script of a page of ours calls. Another site's page, a link, a form or a picture is not distinguished further. */
const OUR_SITES = new Set(['same-origin', 'none'])
const SCRIPTS_MODES = new Set(['cors', 'same-origin'])

/** What browsers say by themselves of where a call comes from, and no page can change. A call without it is no browser's. */
const isFromElsewhere = ({ headers, method, routeOptions }: FastifyRequest): boolean => {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode = 'cors' } = headers
  // Anyone may type the address of what is public, and follow the link to a file.
  const { access, isDownload } = routeOptions.config
  const isForReading = SAFE_METHODS.has(method) && (access === 'anyone' || isDownload)
  return !OUR_SITES.has(String(site)) || !(isForReading || SCRIPTS_MODES.has(String(mode)))
}

/**
 * Calls are made by scripts of our pages and by programs: what a browser says to come from elsewhere is refused before
 * anything is counted, also where it only reads. A browser that carries the cookie must repeat it in a header, which
 * another site's page cannot do.
 * The gateway and the issuer's page are exempt: they prove themselves otherwise, and come from other sites by nature. So are
 * links that are followed, which change nothing.
 */
export const requireCsrfToken = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, isForScripts } = request.routeOptions.config
    if (!isForScripts || access === 'gateway' || access === 'issuer') return done()
    if (isFromElsewhere(request)) return done(new Problem('wrong-csrf-token'))
    // The one that no one else can have planted wins.
    const cookie = request.cookies[SECURE_CSRF_COOKIE] ?? request.cookies[CSRF_COOKIE]
    if (SAFE_METHODS.has(request.method) || cookie === undefined) return done()
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
  const name = ownCookieName(CSRF_COOKIE, isSecure)
  if (OURS.test(request.cookies[name] ?? '')) return
  setOwnCookie(reply, CSRF_COOKIE, randomBytes(24).toString('base64url'), isSecure, { sameSite: 'lax' })
}
