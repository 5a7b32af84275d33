import { allowedIpsOf, type DevicePeer, type PeerReading } from '#device/driver.ts'

/** The text that WireGuard prints an IPv6 address with. */
const canonical = (ipv6: string): string => URL.parse(`http://[${ipv6}]`)?.hostname.slice(1, -1) ?? ipv6

const isAsWanted = (peer: DevicePeer, found: PeerReading): boolean => {
  const wanted = allowedIpsOf(peer.ipv6 ? { ...peer, ipv6: canonical(peer.ipv6) } : peer)
  return (
    found.presharedKey === peer.presharedKey &&
    found.allowedIps.length === wanted.length &&
    wanted.every((network) => found.allowedIps.includes(network))
  )
}

/** What has to change for the device to hold the wanted peers, and nothing else. */
export const planDifference = (
  wanted: Iterable<DevicePeer>,
  found: ReadonlyMap<string, PeerReading>,
): { gone: string[]; set: DevicePeer[] } => {
  const keys = new Set<string>()
  const set: DevicePeer[] = []
  for (const peer of wanted) {
    keys.add(peer.publicKey)
    const there = found.get(peer.publicKey)
    if (!there || !isAsWanted(peer, there)) set.push(peer)
  }
  return { gone: [...found.keys()].filter((key) => !keys.has(key)), set }
}
