import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'

/**
 * A cookie's name as browsers have it: over TLS one that they take from this very host only, and never without TLS. The
 * prefix cannot be had over http, where development is.
 */
export const ownCookieName = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

type Options = Pick<CookieSerializeOptions, 'httpOnly' | 'maxAge'> & { sameSite: 'lax' | 'strict' }

/** The one way in which this shop sets a cookie. */
export const setOwnCookie = (
  reply: FastifyReply,
  name: string,
  value: string,
  isSecure: boolean,
  options: Options,
): void => {
  reply.setCookie(ownCookieName(name, isSecure), value, { ...options, path: '/', secure: isSecure })
}

/** Browsers take the end of such a cookie, too, only over TLS and for this very host. */
export const dropOwnCookie = (reply: FastifyReply, name: string, isSecure: boolean): void => {
  reply.clearCookie(ownCookieName(name, isSecure), { path: '/', secure: isSecure })
}
