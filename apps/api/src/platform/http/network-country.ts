import { isCountry } from '@hedgerow/domain/countries'
import type { FastifyRequest } from 'fastify'

/**
 * The country of the caller's network, as the proxy in front says it in a header. Believed only of a proxy that is trusted and
 * names the caller, too: `ips` has more than the peer itself only then. Undefined where no proxy may say so, and for what is no
 * country ('XX' and 'T1' stand for unknown and Tor).
 */
export const networkCountryOf = (
  { headers, ips = [] }: Pick<FastifyRequest, 'headers' | 'ips'>,
  countryHeader: string | undefined,
): string | undefined => {
  if (!countryHeader || ips.length < 2) return undefined
  const given = headers[countryHeader.toLowerCase()]
  const code = typeof given === 'string' ? given.trim().toUpperCase() : undefined
  return isCountry(code) ? code : undefined
}
