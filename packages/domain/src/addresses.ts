/** Arithmetic on a node's pool. A position is the distance from the first address of its IPv4 and IPv6 networks. */
export type Pool = { ipv4: string; ipv6: string }

const IPV4_BITS = 32
const IPV6_GROUPS = 8

const splitNetwork = (network: string): [address: string, prefix: number] => {
  const [address = '', prefix = ''] = network.split('/')
  return [address, Number(prefix)]
}

const ipv4ToNumber = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const numberToIpv4 = (value: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

const ipv6ToNumber = (address: string): bigint => {
  const [head = '', tail] = address.split('::')
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const middle = Array<string>(IPV6_GROUPS - before.length - after.length).fill('0')
  return [...before, ...middle, ...after].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n)
}

/** The text of RFC 5952: the longest run of zero groups becomes two colons. */
const numberToIpv6 = (value: bigint): string => {
  const groups = Array.from({ length: IPV6_GROUPS }, (_, i) =>
    ((value >> BigInt(16 * (IPV6_GROUPS - 1 - i))) & 0xffffn).toString(16),
  )
  const zeroRuns = [...groups.join(':').matchAll(/\b0(?::0)+\b/g)].map(([run]) => run)
  const longest = zeroRuns.reduce((best, run) => (run.length > best.length ? run : best), '')
  if (longest === '') return groups.join(':')
  const [before = '', after = ''] = splitOnce(groups.join(':'), longest)
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`
}

const splitOnce = (text: string, by: string): [string, string] => {
  const at = text.search(new RegExp(`\\b${by}\\b`))
  return [text.slice(0, at), text.slice(at + by.length)]
}

/** The node itself, which is also the resolver that every configuration names. */
export const NODE_POSITION = 1

/** The last position that a customer may have; the one after it is the network's broadcast address. */
export const lastPosition = ({ ipv4 }: Pool): number => 2 ** (IPV4_BITS - splitNetwork(ipv4)[1]) - 2

/** How many customers a pool has room for: the node itself has one of its addresses. */
export const poolSize = (pool: Pool): number => lastPosition(pool) - NODE_POSITION

/** The two addresses at a position, without prefix lengths. Throws a RangeError outside the pool. */
export const addressesAt = (pool: Pool, position: number): { ipv4: string; ipv6: string } => {
  if (!Number.isInteger(position) || position < NODE_POSITION || position > lastPosition(pool)) {
    throw new RangeError(`Position ${position} is outside the pool ${pool.ipv4}`)
  }
  const [ipv4] = splitNetwork(pool.ipv4)
  const [ipv6] = splitNetwork(pool.ipv6)
  return {
    ipv4: numberToIpv4(ipv4ToNumber(ipv4) + position),
    ipv6: numberToIpv6(ipv6ToNumber(ipv6) + BigInt(position)),
  }
}
