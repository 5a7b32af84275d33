import type { FastifyRequest } from 'fastify'

/** What a request itself tells of the payer. */
export type Payer = { ipAddress: string; userAgent: string; accept: string; acceptLanguage: string }

/** More than any card form needs. */
export const CARD_BODY_BYTES = 8 * 1024

/** What a request itself tells of who pays. */
export const payerOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Payer => ({
  ipAddress: ip,
  userAgent: headers['user-agent'] ?? '',
  accept: headers.accept ?? '*/*',
  acceptLanguage: headers['accept-language'] ?? '',
})
