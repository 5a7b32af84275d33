/** Arithmetic on a node's pool. A position is the distance from the first address of its IPv4 and IPv6 networks. */
import ipaddr from 'ipaddr.js'

export type Pool = { ipv4: string; ipv6: string }

const IPV4_BITS = 32

/** The node itself, which is also the resolver that every configuration names. */
export const NODE_POSITION = 1

/** The last position that a customer may have; the one after it is the network's broadcast address. */
export const lastPosition = ({ ipv4 }: Pool): number => 2 ** (IPV4_BITS - Number(ipv4.split('/')[1])) - 2

/** How many customers a pool has room for: the node itself has one of its addresses. */
export const poolSize = (pool: Pool): number => lastPosition(pool) - NODE_POSITION

type Bytes = readonly number[]

/** Parsed once: an agent that starts asks for the addresses of all peers of one pool. */
const parsed = new Map<string, Bytes>()

const firstOf = (network: string, read: (network: string) => Bytes): Bytes => {
  const first = parsed.get(network) ?? read(network)
  parsed.set(network, first)
  return first
}

const readIpv4 = (network: string) => ipaddr.IPv4.parseCIDR(network)[0].toByteArray()
const readIpv6 = (network: string) => ipaddr.IPv6.parseCIDR(network)[0].toByteArray()

const plus = (first: Bytes, position: number): number[] => {
  let carried = position
  return first.reduceRight<number[]>((sum, byte) => {
    carried += byte
    sum.unshift(carried % 256)
    carried = Math.floor(carried / 256)
    return sum
  }, [])
}

/** The two addresses at a position, without prefix lengths. Throws a RangeError outside the pool. */
export const addressesAt = (pool: Pool, position: number): { ipv4: string; ipv6: string } => {
  if (!Number.isInteger(position) || position < NODE_POSITION || position > lastPosition(pool)) {
    throw new RangeError(`Position ${position} is outside the pool ${pool.ipv4}`)
  }
  return {
    ipv4: new ipaddr.IPv4(plus(firstOf(pool.ipv4, readIpv4), position)).toString(),
    ipv6: new ipaddr.IPv6(plus(firstOf(pool.ipv6, readIpv6), position)).toString(),
  }
}

/** A peer's. A server that was taken over may have given its IPv6 address another place. */
export const addressesOf = (
  pool: Pool,
  { position, ipv6_position }: { position: number; ipv6_position: number | null },
): { ipv4: string; ipv6: string } => ({
  ipv4: addressesAt(pool, position).ipv4,
  ipv6: addressesAt(pool, ipv6_position ?? position).ipv6,
})

const numberOf = (bytes: readonly number[]): bigint =>
  bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)

const difference = (address: readonly number[], first: readonly number[]): bigint | undefined =>
  address.length === first.length ? numberOf(address) - numberOf(first) : undefined

/** Where an address stands in a pool, of either family; undefined for one outside it, and for what is no address. */
export const positionOf = (pool: Pool, address: string): number | undefined => {
  if (!ipaddr.isValid(address)) return undefined
  const bytes = ipaddr.parse(address).toByteArray()
  const first = bytes.length === 4 ? firstOf(pool.ipv4, readIpv4) : firstOf(pool.ipv6, readIpv6)
  const position = difference(bytes, [...first])
  return position !== undefined && position >= BigInt(NODE_POSITION) && position <= BigInt(lastPosition(pool))
    ? Number(position)
    : undefined
}

/** Whether an address is in both networks. One without a prefix length is a single address. */
export const haveCommonAddresses = (a: string, b: string): boolean => {
  const read = (text: string) => {
    const address = ipaddr.parse(text.split('/')[0] ?? '')
    return { address, bits: Number(text.split('/')[1] ?? 8 * address.toByteArray().length) }
  }
  const [one, other] = [read(a), read(b)]
  return (
    one.address.kind() === other.address.kind() &&
    one.address.match(other.address, Math.min(one.bits, other.bits))
  )
}

/** The network around an address with a prefix length; as it is where it is none. */
export const networkAround = (text: string): string => {
  try {
    const [address, prefix] = ipaddr.parseCIDR(text)
    const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
    return `${family.networkAddressFromCIDR(text)}/${prefix}`
  } catch {
    return text
  }
}
