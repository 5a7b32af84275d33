import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import { ServerResponse } from '@hedgerow/io/node-http'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '#platform/settings.ts'

/**
 * Nothing but what this host serves; no inline script or style. Forms go home only and there are no frames, except on
 * the result page.
 */
const policy = (issuers: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    objectSrc: ["'none'"],
    formAction: ["'self'", ...issuers],
    // In the frame, the issuer's server sends its word to us.
    ...(issuers.length > 0 ? { frameSrc: ["'self'", ...issuers] } : {}),
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
})

/** What is no page loads nothing, sends nothing, and is never framed. Not everything falls back to `default-src`. */
const NOTHING_ALLOWED = ['default-src', 'object-src', 'base-uri', 'form-action', 'frame-ancestors']
  .map((directive) => `${directive} 'none'`)
  .join('; ')

export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': NOTHING_ALLOWED,
  'referrer-policy': 'no-referrer',
}

/** Headers of the API's answers: they are not cached, and nothing in them is ever run. */
export const guardAnswers = (app: FastifyInstance): void => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ANSWER_HEADERS)
    done()
  })
}

type Address = Pick<Settings, 'publicUrl'>

/** What carries no policy of its own has this one, and headers that any answer of ours has. */
export const EVERYWHERE = { 'content-security-policy': NOTHING_ALLOWED, 'x-content-type-options': 'nosniff' }

/** What every answer carries. Strict-Transport-Security only where the address customers see is https. */
export const commonHeaders = ({ publicUrl }: Address): Record<string, string> => ({
  ...EVERYWHERE,
  ...(publicUrl.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : {}),
})

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]
type MessageAndHeaders = [message?: string, headers?: Headers] | [headers?: Headers]

/**
 * What a server is to answer with, so that no answer lacks these headers, unless it has its own of that name. They are added
 * where Node.js writes every head: the framework has answers that pass no hook, and so has Node.js. The framework gives all
 * of its headers there, and with these they are written in one go; had these been set before, each would be set by itself.
 */
export const responsesWith = (headers: Readonly<Record<string, string>>) => {
  const common = Object.entries(headers)
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: MessageAndHeaders): this {
      const [given] = rest
      const isGivenAll =
        typeof given === 'object' && !Array.isArray(given) && this.getHeaderNames().length === 0
      if (isGivenAll) return super.writeHead(status, { ...headers, ...given })
      for (const [name, value] of common) if (!this.hasHeader(name)) this.setHeader(name, value)
      return super.writeHead(status, ...(rest as [string, Headers]))
    }
  }
}

/**
 * Headers of the files with a hash in their name: kept for ever, and few, for a first visit fetches a dozen of them. What
 * a page may do is said with the page.
 */
export const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // For one that is opened by itself, as a picture with a script in it would be.
  'content-security-policy': NOTHING_ALLOWED,
  'cross-origin-resource-policy': 'same-origin',
}

/** Headers of the pages, besides those of every answer. */
export const guardPages = async (app: FastifyInstance): Promise<void> => {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: policy([]),
    strictTransportSecurity: false,
    xContentTypeOptions: false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    // The page that the issuer's site sends the customer back to is opened by that site.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  })
}

/** The policy of the page whose forms go to an issuer or a bank, one of them within a hidden frame. */
export const postsToIssuers = ({ issuerOrigins }: Settings) => ({
  contentSecurityPolicy: policy(issuerOrigins),
})
