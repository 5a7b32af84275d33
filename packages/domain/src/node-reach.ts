import { hostOf, portOf } from './node-places.ts'

/** Over what the shop tries nodes from outside. */
export const REACH_CHECKS = ['on', 'ipv4', 'off'] as const

/** How a node's endpoint answered the shop, which sent what a customer's device would. */
export type Tried = {
  endpoint: string
  /** What the endpoint leads to, as far as this machine could send there. Undefined: its name leads nowhere. */
  tried: readonly { address: string; isAnswered: boolean }[] | undefined
  /** The addresses that have answered at any time. */
  answeredBefore: readonly string[]
  /** It was sure before that it is not reached: it stays so until it answers, also while no other node does. */
  wasSure: boolean
  /** Whether packets of any customer arrive there. */
  hasCustomers: boolean
}

/**
 * Why it is not reached, in a sentence, and whether that is sure: what has never answered may be held back by the shop's own
 * network. Null: it is reached. Undefined: it cannot be said.
 */
type Reach = { reason: string; isSure: boolean } | null | undefined

const familyOf = (address: string) => (address.includes(':') ? 'IPv6' : 'IPv4')

/**
 * Which nodes customers reach. Where customers arrive the node is reached, whatever the shop gets: so a network of the shop that
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
  const findsNames = nodes.some(({ tried }) => tried !== undefined)
  return nodes.map(({ endpoint, tried, answeredBefore, wasSure, hasCustomers }) => {
    if (hasCustomers) return null
    if (!tried) return said(nameless(endpoint), wasSure || findsNames || answeredBefore.length > 0)
    if (tried.length === 0) return undefined
    const silent = tried.filter(({ isAnswered }) => !isAnswered).map(({ address }) => address)
    const counted = silent.filter(
      (address) => answers.has(familyOf(address)) || !doubted.has(familyOf(address)),
    )
    const isSure = (address: string) =>
      wasSure || answers.has(familyOf(address)) || answeredBefore.includes(address)
    const first = counted.find(isSure) ?? counted[0]
    if (first) return said(unanswered(endpoint, first, !answers.has(familyOf(first))), isSure(first))
    return silent.length > 0 ? undefined : null
  })
}

const said = (reason: string, isSure: boolean): Reach => ({
  reason: isSure ? reason : `${reason} It is sold all the same, as it has never answered the shop.`,
  isSure,
})

const nameless = (endpoint: string): string =>
  `No address is found for the name in ${endpoint}, so customers' devices cannot find the node: set its DNS record, or give the node another endpoint.`

const unanswered = (endpoint: string, address: string, isNoneAnswering: boolean): string => {
  const family = familyOf(address)
  const where = hostOf(endpoint) === address ? endpoint : `${endpoint} (${address})`
  const own = `If the shop's own network lets no UDP out${family === 'IPv6' ? ' over IPv6' : ''}, set NODE_REACH_CHECK=${family === 'IPv6' ? 'ipv4' : 'off'}.`
  return `Nothing answers at ${where} from outside: is UDP port ${portOf(endpoint)} open in the server's and the provider's firewall?${isNoneAnswering ? ` ${own}` : ''}`
}
