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

/** A file name that wg-quick takes: it makes the interface's name of it, which the kernel limits to 15 bytes. */
export const configFileName = (name: string): string => {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(-15)
    .replace(/^-+/, '')
  return `${safe || 'wg0'}.conf`
}
