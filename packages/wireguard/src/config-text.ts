import { amneziaWgLines, type Disguise, type Obfuscation } from './amneziawg.ts'

/** What a configuration file says; the same fields the API gives of a connection (spec §3). */
export type TunnelConfig = {
  /** Empty: only the customer has it, and puts it in. */
  clientPrivateKey: string
  presharedKey: string
  address: string
  dns: string
  serverPublicKey: string
  allowedIPs: string
  endpoint: string
  /** Left out: as the device derives it. */
  mtu?: number
  /** For AmneziaWG apps; WireGuard's own refuse a file with either. */
  disguise?: Disguise
  /** Of its node. */
  obfuscation?: Obfuscation
}

/** No key: WireGuard refuses a file with it, where one without the line would be a tunnel that carries nothing. */
const NO_KEY = 'PUT-YOUR-PRIVATE-KEY-HERE'

const privateKeyLines = ({ clientPrivateKey }: TunnelConfig): string =>
  clientPrivateKey
    ? `PrivateKey = ${clientPrivateKey}`
    : `# Only you have the private key. Put it in the place of the words in capitals.\nPrivateKey = ${NO_KEY}`

/** The configuration file of a tunnel, as wg-quick reads it. The file, the QR code and the mail carry these very bytes. */
export const configText = (tunnel: TunnelConfig, keepaliveSeconds: number): string =>
  `[Interface]
${privateKeyLines(tunnel)}
Address = ${tunnel.address}
DNS = ${tunnel.dns}
${tunnel.mtu === undefined ? '' : `MTU = ${tunnel.mtu}\n`}${amneziaWgLines(tunnel.disguise, tunnel.obfuscation)}
[Peer]
PublicKey = ${tunnel.serverPublicKey}
PresharedKey = ${tunnel.presharedKey}
AllowedIPs = ${tunnel.allowedIPs}
Endpoint = ${tunnel.endpoint}
PersistentKeepalive = ${keepaliveSeconds}
`

/** The kernel limits the name of an interface to so many bytes, and wg-quick makes that name of the file's. */
const LONGEST_NAME = 15
const EXTENSION = '.conf'

/**
 * Refused whatever the device: Windows's devices, the kernel's own words, and a number, which is taken for an interface's
 * index. Or likely there already: interfaces of computers and routers, and the tunnel that manuals call wg0.
 */
const NEVER_ALONE = [
  /^(?:con|prn|aux|nul|com|lpt)\d*$/,
  /^(?:all|default|lo|\d*)$/,
  /^(?:eth|wlan|wwan|wl|wan|lan|usb|ppp|tun|tap|br|bond|team|veth|vlan|dummy|docker|virbr|tailscale|wg)\d*$/,
  /^(?:en|wl|ww)[opsx]\d[a-z0-9]*$/,
]

/** The letters and digits that every client takes, the last ones of a long name, which is where its number stands. */
const stemOf = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase()
    .replace(/^-|-$/g, '')
    .slice(-LONGEST_NAME)
    .replace(/^-/, '')

const isNeverAlone = (stem: string): boolean =>
  NEVER_ALONE.some((pattern) => pattern.test(stem)) || /^[\d-]*$/.test(stem)

/** The end of an id is its random part. */
const withEndOf = (stem: string, id: string, length: number): string => {
  const end = id.replaceAll('-', '').slice(-length).toLowerCase()
  return `${(stem || 'wg').slice(0, LONGEST_NAME - 1 - end.length).replace(/-$/, '')}-${end}`
}

/**
 * Each connection's file, by its id, given all that its customer has: a name that every client takes. A name that says
 * nothing, or that another connection has too, gets the end of the connection's id.
 */
export const configFileNames = (
  connections: readonly { id: string; name: string }[],
): ReadonlyMap<string, string> => {
  const stems = connections.map(({ id, name }) => ({ id, stem: stemOf(name) }))
  const uses = Map.groupBy(stems, ({ stem }) => stem)
  const isOwn = ({ stem }: { stem: string }) => uses.get(stem)?.length === 1 && !isNeverAlone(stem)
  const taken = new Set(stems.filter(isOwn).map(({ stem }) => stem))
  return new Map(
    stems.map(({ id, stem }) => {
      let own = stem
      for (let length = 4; !isOwn({ stem }) && (own === stem || taken.has(own)); length++)
        own = withEndOf(stem, id, length)
      taken.add(own)
      return [id, own + EXTENSION]
    }),
  )
}
