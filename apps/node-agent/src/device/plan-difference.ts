import type { DevicePeer, PeerReading } from '#device/driver.ts'

/** The text that WireGuard prints an IPv6 address with. */
const canonical = (ipv6: string): string => URL.parse(`http://[${ipv6}]`)?.hostname.slice(1, -1) ?? ipv6

const isAsWanted = ({ presharedKey, ipv4, ipv6 }: DevicePeer, found: PeerReading): boolean =>
  found.presharedKey === presharedKey &&
  found.allowedIps.length === 2 &&
  found.allowedIps.includes(`${ipv4}/32`) &&
  found.allowedIps.includes(`${canonical(ipv6)}/128`)

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
