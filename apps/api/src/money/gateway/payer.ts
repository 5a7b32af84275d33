import type { FastifyRequest } from 'fastify'
import { networkCountryOf } from '#platform/http/network-country.ts'
import type { Settings } from '#platform/settings.ts'

/** What is known of the payer from the request itself. */
export type Payer = {
  ipAddress: string
  /** Of the network, from a trusted proxy's header. */
  networkCountry?: string | undefined
  userAgent: string
  accept: string
  acceptLanguage: string
}

export const payerOf = (
  { ip, ips, headers }: Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>,
  { countryHeader }: Pick<Settings, 'countryHeader'>,
): Payer => ({
  ipAddress: ip,
  networkCountry: networkCountryOf({ headers, ips }, countryHeader),
  userAgent: headers['user-agent'] ?? '',
  accept: headers.accept ?? '*/*',
  acceptLanguage: headers['accept-language'] ?? '',
})
