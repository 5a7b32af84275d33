import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyedHash } from '#crypto/keyed-hash.ts'

const DAYS = 180
const ID_BYTES = 16
/** An id and its proof, each in base64url. */
const FORM = /^([\w-]{22})\.([\w-]{43})$/

export type KnownBrowsers = {
  /** Notes in the browser that somebody has logged in to this account there. */
  remember: (reply: FastifyReply, email: string) => void
  /** Who the browser is, if an account of this e-mail was logged in to there; undefined for any other. */
  idFor: (request: FastifyRequest, email: string) => string | undefined
}

/**
 * A browser that has logged in before keeps a cookie that says so, which only this shop can make. It opens nothing: what
 * strangers do to an account's limits does not count for it. The server keeps nothing of it.
 */
export const createKnownBrowsers = (keyedHash: KeyedHash, isSecure: boolean): KnownBrowsers => {
  const name = isSecure ? '__Host-KNOWN-BROWSER' : 'KNOWN-BROWSER'
  const proofOf = (id: string, email: string): Buffer =>
    keyedHash('known browser', `${id}\n${email.toLowerCase()}`)

  return {
    remember: (reply, email) => {
      const id = randomBytes(ID_BYTES).toString('base64url')
      reply.setCookie(name, `${id}.${proofOf(id, email).toString('base64url')}`, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        maxAge: DAYS * 86_400,
      })
    },
    idFor: (request, email) => {
      const [, id, proof] = request.cookies[name]?.match(FORM) ?? []
      if (!id || !proof) return undefined
      return timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(id, email)) ? id : undefined
    },
  }
}
