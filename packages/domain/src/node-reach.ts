import { hostOf, portOf } from './node-places.ts'

/** Over what the shop tries nodes from outside. */
export const REACH_CHECKS = ['on', 'ipv4', 'off'] as const

/** How a node's endpoint answered the shop, which sent what a customer's device would. */
export type Tried = {
  endpoint: string
  /** What the endpoint leads to, as far as this machine could send there. Undefined: its name leads nowhere. */
  tried: readonly { address: string; isAnswered: boolean }[] | undefined
  /** Whether packets of any customer arrive there. */
  hasCustomers: boolean
}

/** A sentence: why it is not reached. Null: it is. Undefined: it cannot be said. */
type Reach = string | null | undefined

const familyOf = (address: string) => (address.includes(':') ? 'IPv6' : 'IPv4')

/**
 * Whom customers reach. Where customers arrive the node is reached, whatever the shop gets: so a network of the shop that
 * lets no UDP out ends no sales, and no node is judged by a family by which none answers, but at which customers arrive.
 */
export const judgeReach = (nodes: readonly Tried[]): Reach[] => {
  const answers = new Set<string>()
  const doubted = new Set<string>()
  for (const { tried = [], hasCustomers } of nodes)
    for (const { address, isAnswered } of tried) {
      if (isAnswered) answers.add(familyOf(address))
      else if (hasCustomers) doubted.add(familyOf(address))
    }
  return nodes.map(({ endpoint, tried, hasCustomers }) => {
    if (hasCustomers) return null
    if (!tried) return nameless(endpoint)
    if (tried.length === 0) return undefined
    const silent = tried.filter(({ isAnswered }) => !isAnswered).map(({ address }) => address)
    const counted = silent.filter(
      (address) => answers.has(familyOf(address)) || !doubted.has(familyOf(address)),
    )
    const [first] = counted
    if (first) return unanswered(endpoint, first, !answers.has(familyOf(first)))
    return silent.length > 0 ? undefined : null
  })
}

const nameless = (endpoint: string): string =>
  `No address is found for the name in ${endpoint}, so customers' devices cannot find the node: set its DNS record, or give the node another endpoint.`

const unanswered = (endpoint: string, address: string, isNoneAnswering: boolean): string => {
  const family = familyOf(address)
  const where = hostOf(endpoint) === address ? endpoint : `${endpoint} (${address})`
  const own = `If the shop's own network lets no UDP out${family === 'IPv6' ? ' over IPv6' : ''}, set NODE_REACH_CHECK=${family === 'IPv6' ? 'ipv4' : 'off'}.`
  return `Nothing answers at ${where} from outside: is UDP port ${portOf(endpoint)} open in the server's and the provider's firewall?${isNoneAnswering ? ` ${own}` : ''}`
}
