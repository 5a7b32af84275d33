import type { FastifyRequest } from 'fastify'
import type { Payer } from './pay-by-card.ts'

/** More than any card form needs. */
export const CARD_BODY_BYTES = 8 * 1024

/** What a request itself tells of who pays. */
export const payerOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Payer => ({
  ipAddress: ip,
  userAgent: headers['user-agent'] ?? '',
  accept: headers.accept ?? '*/*',
  acceptLanguage: headers['accept-language'] ?? '',
})
