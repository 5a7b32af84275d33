/** What a configuration file says; the same fields the API gives of a connection (spec §3). */
export type TunnelConfig = {
  clientPrivateKey: string
  presharedKey: string
  address: string
  dns: string
  serverPublicKey: string
  allowedIPs: string
  endpoint: string
}

/** The configuration file of a tunnel, as wg-quick reads it. The file, the QR code and the mail carry these very bytes. */
export const configText = (tunnel: TunnelConfig, keepaliveSeconds: number): string =>
  `[Interface]
PrivateKey = ${tunnel.clientPrivateKey}
Address = ${tunnel.address}
DNS = ${tunnel.dns}

[Peer]
PublicKey = ${tunnel.serverPublicKey}
PresharedKey = ${tunnel.presharedKey}
AllowedIPs = ${tunnel.allowedIPs}
Endpoint = ${tunnel.endpoint}
PersistentKeepalive = ${keepaliveSeconds}
`

/** The kernel limits the name of an interface to so many bytes. */
const LONGEST_NAME = 15
const EXTENSION = '.conf'

/** Windows takes these for devices, whatever follows them, and neither unpacks nor imports such a file. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** A file name that wg-quick and Windows take: wg-quick makes the interface's name of it. */
export const configFileName = (name: string): string => {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(-LONGEST_NAME)
    .replace(/^-+/, '')
  return (DEVICE.test(safe) ? `wg-${safe}` : safe || 'wg0') + EXTENSION
}

/** The same for several in one folder: each has a name of its own. */
export const configFileNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>()
  return names.map((name) => {
    const base = configFileName(name).slice(0, -EXTENSION.length)
    let own = base
    for (let number = 2; taken.has(own); number++) {
      const end = `-${number}`
      own = base.slice(0, LONGEST_NAME - end.length) + end
    }
    taken.add(own)
    return own + EXTENSION
  })
}
