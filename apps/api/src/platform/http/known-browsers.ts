import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import { ownCookieName, setOwnCookie } from '#platform/http/own-cookies.ts'

const DAYS = 180
const ID_BYTES = 16
/** An id and its proof, each in base64url. */
const FORM = /^([\w-]{22})\.([\w-]{43})$/

type WithCookies = Pick<FastifyRequest, 'cookies'>

export type KnownBrowsers = {
  /**
   * Notes in the browser that the owner of the account has proved it there. `account`: a customer's e-mail, an operator's
   * name. `lock`: what opens it, where that was just read.
   */
  remember: (request: WithCookies, reply: FastifyReply, account: string, lock?: string) => Promise<void>
  /** Whether a browser says that it is one; only with an account can that be checked. */
  isClaimedBy: (request: WithCookies) => boolean
  /** Who the browser is, if this account was logged in to there; undefined for any other. */
  idFor: (request: WithCookies, account: string, lock?: string) => Promise<string | undefined>
}

type Options = {
  keyedHash: KeyedHash
  /** Whether browsers come by https. */
  isSecure: boolean
  /** What opens the account: when that changes, the browser is known no longer. */
  findLock: (account: string) => Promise<string | undefined>
  /** Customers' and operators' are apart, where one host has both. */
  cookie?: 'KNOWN-BROWSER' | 'operator-known-browser'
}

/**
 * A browser that has logged in before keeps a cookie that says so, which only this shop can make. It opens nothing: what
 * strangers do to an account's limits does not count for it. The server keeps nothing of it. A new password ends it, and so
 * does a second step: who had only the password is a stranger from then on.
 */
export const createKnownBrowsers = ({
  keyedHash,
  isSecure,
  findLock,
  cookie = 'KNOWN-BROWSER',
}: Options): KnownBrowsers => {
  const name = ownCookieName(cookie, isSecure)
  const kind = cookie === 'KNOWN-BROWSER' ? 'known browser' : 'operator known browser'

  const proofOf = (id: string, account: string, lock: string): Buffer =>
    keyedHash(kind, `${id}\n${account.toLowerCase()}\n${lock}`)

  const idFor: KnownBrowsers['idFor'] = async (request, account, known) => {
    const [, id, claimed] = request.cookies[name]?.match(FORM) ?? []
    if (!id || !claimed) return undefined
    const lock = known ?? (await findLock(account))
    if (lock === undefined) return undefined
    return timingSafeEqual(Buffer.from(claimed, 'base64url'), proofOf(id, account, lock)) ? id : undefined
  }

  return {
    isClaimedBy: (request) => FORM.test(request.cookies[name] ?? ''),
    idFor,
    remember: async (request, reply, account, known) => {
      const lock = known ?? (await findLock(account))
      if (lock === undefined) return
      // One browser is one, however often there is a log-in there.
      const id = (await idFor(request, account, lock)) ?? randomBytes(ID_BYTES).toString('base64url')
      setOwnCookie(reply, cookie, `${id}.${proofOf(id, account, lock).toString('base64url')}`, isSecure, {
        httpOnly: true,
        sameSite: 'strict',
        maxAge: DAYS * 86_400,
      })
    },
  }
}
