import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostOf } from '@hedgerow/domain/node-places'

/** Of each family. A node has one; a name that leads to more is tried at these. */
const MOST_ADDRESSES = 2

/** Says that there is none, and not that it could not be asked. */
const IS_NONE = ['ENOTFOUND', 'ENODATA']

type NameResolver = Record<'resolve4' | 'resolve6', (name: string) => Promise<string[]>>

/**
 * Where an endpoint leads; undefined: nowhere. Empty: it could not be found out. Not by getaddrinfo, whose threads the shop
 * needs for other things while a name server is silent.
 */
export const findAddresses = async (
  endpoint: string,
  resolver: NameResolver,
): Promise<string[] | undefined> => {
  const host = hostOf(endpoint)
  if (isIP(host)) return [host]
  let isNone = true
  const ask = (answer: Promise<string[]>): Promise<string[]> =>
    answer.then(
      (found) => found.slice(0, MOST_ADDRESSES),
      (error: NodeJS.ErrnoException) => {
        if (!IS_NONE.includes(error.code ?? '')) isNone = false
        return []
      },
    )
  const [ipv4, ipv6] = await Promise.all([ask(resolver.resolve4(host)), ask(resolver.resolve6(host))])
  const all = [...ipv4, ...ipv6]
  return all.length === 0 && isNone ? undefined : all
}

export const createResolver = (): Resolver => new Resolver({ timeout: 2_000, tries: 2 })
