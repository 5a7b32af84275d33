import type { FastifyRequest } from 'fastify'

/** What a request itself tells of the payer. */
export type Payer = { ipAddress: string; userAgent: string; accept: string; acceptLanguage: string }

export const payerOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Payer => ({
  ipAddress: ip,
  userAgent: headers['user-agent'] ?? '',
  accept: headers.accept ?? '*/*',
  acceptLanguage: headers['accept-language'] ?? '',
})
