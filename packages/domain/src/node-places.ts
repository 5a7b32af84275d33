/** What an operator says of a node, checked. Each returns what is wrong, or undefined. */

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const LONGEST_HOST = 253

const isIpv4 = (text: string) => IPV4.test(text)

/** The groups of an IPv6 address; undefined where it is none, or has a zone or an IPv4 address in it. */
const ipv6Groups = (text: string): number[] | undefined => {
  if (!/^[0-9a-f:]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return undefined
  const [head = '', tail] = text.split('::')
  const groupsOf = (part: string | undefined) =>
    part ? part.split(':').map((group) => parseInt(group, 16)) : []
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const isHostName = (text: string) => {
  const labels = text.split('.')
  // One that ends in a number is an address gone wrong.
  return (
    text.length <= LONGEST_HOST &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

export const ENDPOINT_FORM =
  'It is written like vpn.example.org:51820, 192.0.2.7:51820 or [2001:db8::7]:51820.'

export const endpointFault = (text: string): string | undefined => {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]*)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const isHost =
    bracketed === undefined ? isIpv4(plain ?? '') || isHostName(plain ?? '') : ipv6Groups(bracketed)
  if (!isHost) return ENDPOINT_FORM
  return Number(port) < 1 || Number(port) > 65_535 ? 'A port is a number from 1 to 65535.' : undefined
}

const splitNetwork = (text: string): [address: string, prefix: number | undefined] => {
  const [, address = '', prefix] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  return [address, prefix === undefined ? undefined : Number(prefix)]
}

/** The first bits of groups that are so wide, with nothing after them. */
const withoutHost = (groups: readonly number[], width: number, prefix: number) =>
  groups.map((group, i) => {
    const kept = Math.min(width, Math.max(0, prefix - i * width))
    return Math.floor(group / 2 ** (width - kept)) * 2 ** (width - kept)
  })

const [IPV4_WIDEST, IPV4_NARROWEST] = [8, 29]
const IPV6_WIDEST = 8

const meant = (address: string, prefix: number) =>
  `It has bits set after its prefix; the network is written ${address}/${prefix}.`

export const ipv4PoolFault = (text: string): string | undefined => {
  const [address, prefix] = splitNetwork(text)
  if (prefix === undefined || !isIpv4(address)) return 'An IPv4 pool is written like 10.80.0.0/16.'
  if (prefix < IPV4_WIDEST || prefix > IPV4_NARROWEST)
    return `An IPv4 pool is a /${IPV4_WIDEST} to a /${IPV4_NARROWEST}.`
  const groups = address.split('.').map(Number)
  const [first = 0] = groups
  if (first === 0 || first === 127 || first >= 224) return 'Nobody can have addresses from there.'
  const network = withoutHost(groups, 8, prefix)
  return network.join('.') === address ? undefined : meant(network.join('.'), prefix)
}

const toText = (groups: readonly number[]) =>
  new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]/`).hostname.slice(1, -1)

export const ipv6PoolFault = (text: string): string | undefined => {
  const [address, prefix] = splitNetwork(text)
  const groups = ipv6Groups(address)
  if (prefix === undefined || prefix > 128 || !groups) return 'An IPv6 pool is written like fd80::/64.'
  if (prefix < IPV6_WIDEST) return `An IPv6 pool is a /${IPV6_WIDEST} or narrower.`
  const [first = 0] = groups
  if (first === 0 || (first >= 0xfe80 && first < 0xfec0) || first >= 0xff00)
    return 'Nobody can have addresses from there.'
  const network = withoutHost(groups, 16, prefix)
  return network.every((group, i) => group === groups[i]) ? undefined : meant(toText(network), prefix)
}

/** Each customer has an address of either family, at the same place in both pools. */
export const poolsFault = (ipv4: string, ipv6: string): string | undefined => {
  const [, narrow = 0] = splitNetwork(ipv4)
  const [, wide = 0] = splitNetwork(ipv6)
  const room = 128 - (32 - narrow)
  return wide > room
    ? `The IPv6 pool is smaller than the IPv4 pool ${ipv4}: it has to be a /${room} or wider.`
    : undefined
}
