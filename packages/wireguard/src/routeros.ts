import type { TunnelConfig } from './config-text.ts'

/** Not to be written as they stand: their bytes are, so that none ends the string or names a variable. */
const OTHERS = /[^A-Za-z0-9+/=:., _-]+/g

const HEX = Array.from({ length: 256 }, (_, byte) => `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`)

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => HEX[byte]).join('')

const quoted = (text: string): string => `"${text.replace(OTHERS, toHex)}"`

/** All menus that anything is added to, in the order in which they can be emptied: what is named by others comes last. */
const MENUS = [
  '/routing/rule',
  '/ip/firewall/nat',
  '/ip/firewall/filter',
  '/ip/firewall/mangle',
  '/ipv6/firewall/nat',
  '/ipv6/firewall/filter',
  '/ipv6/firewall/mangle',
  '/ip/route',
  '/ipv6/route',
  '/ip/address',
  '/ipv6/address',
  '/interface/wireguard/peers',
  '/interface/wireguard',
  '/routing/table',
] as const

type Menu = (typeof MENUS)[number]

const commentOf = (name: string): string => quoted(`VPN ${name}`)

/** Takes out all that a connection's commands have added, which their comment tells. Nothing else has it. */
export const routerOsRemoval = (name: string): string => {
  const comment = commentOf(name)
  return MENUS.map((menu) => `${menu}/remove [find comment=${comment}]`).join('\n')
}

const HOST_AND_PORT = /^\[?(.*?)\]?:(\d+)$/

const FAMILIES = [
  { ip: '/ip', internet: '0.0.0.0/0', isOf: (network: string) => !network.includes(':'), more: '' },
  {
    ip: '/ipv6',
    // All that is assigned (RFC 4291).
    internet: '2000::/3',
    isOf: (network: string) => network.includes(':'),
    more: ' advertise=no',
  },
] as const

/** Before anything is taken out, the key of an interface with it. */
const KEY_TO_PUT_IN = `
# Only you have the private key. Put it between the quotation marks.
:local key ""
:if ([:len $key] != 44) do={ :error "Put your private key into this file first. Nothing was changed." }
`

/**
 * A connection as commands of RouterOS 7, to be imported or pasted as a whole; once more replaces what is there. Devices
 * behind `lan` go through the tunnel or not at all. The router itself goes past it, as the tunnel has to: so neither the way
 * to the node nor that to a time server needs to be known. FastTrack obeys rules of routing, and not marks.
 */
export const routerOsCommands = (tunnel: TunnelConfig, keepaliveSeconds: number, name: string): string => {
  const [, host = '', port = ''] = HOST_AND_PORT.exec(tunnel.endpoint) ?? []
  const [resolver = ''] = tunnel.dns.split(', ')
  const addresses = tunnel.address.split(', ')
  const networks = tunnel.allowedIPs.split(', ')
  const own = quoted(name)
  const comment = commentOf(name)
  const add = (menu: Menu, values: string) => `${menu}/add ${values} comment=${comment}`
  const families = FAMILIES.filter(({ isOf }) => addresses.some(isOf))
  const lines = [
    add('/routing/table', `name=${own} fib`),
    add(
      '/interface/wireguard',
      `name=${own} mtu=${tunnel.mtu ?? 1420} private-key=${tunnel.clientPrivateKey ? quoted(tunnel.clientPrivateKey) : '$key'}`,
    ),
    add(
      '/interface/wireguard/peers',
      `interface=${own} public-key=${quoted(tunnel.serverPublicKey)} preshared-key=${quoted(tunnel.presharedKey)} endpoint-address=${quoted(host)} endpoint-port=${quoted(port)} allowed-address=${quoted(networks.join(','))} persistent-keepalive=${keepaliveSeconds}s`,
    ),
    ...families.flatMap(({ ip, internet, isOf, more }) => [
      ...addresses
        .filter(isOf)
        .map((address) => add(`${ip}/address`, `address=${quoted(address)} interface=${own}${more}`)),
      ...networks
        .filter(isOf)
        .map((network) =>
          add(`${ip}/route`, `dst-address=${quoted(network)} gateway=${own} routing-table=${own}`),
        ),
      add(`${ip}/firewall/nat`, `chain=srcnat action=masquerade out-interface=${own}`),
      ...['out', 'in'].map((way) =>
        add(
          `${ip}/firewall/mangle`,
          `chain=forward action=change-mss new-mss=clamp-to-pmtu passthrough=yes protocol=tcp tcp-flags=syn ${way}-interface=${own}`,
        ),
      ),
      ...['input', 'forward'].map((chain) =>
        add(`${ip}/firewall/filter`, `chain=${chain} action=drop connection-state=new in-interface=${own}`),
      ),
      // First what the router knows a way to itself, such as its other networks, and then the tunnel alone.
      add(
        '/routing/rule',
        `action=lookup table=main min-prefix=0 interface=$lan dst-address=${quoted(internet)}`,
      ),
      add(
        '/routing/rule',
        `action=lookup-only-in-table table=${own} interface=$lan dst-address=${quoted(internet)}`,
      ),
    ]),
    // Devices go on asking the router, or whomever they like: the resolver of the tunnel answers.
    ...['udp', 'tcp'].flatMap((protocol) => [
      add(
        '/ip/firewall/nat',
        `chain=dstnat action=dst-nat to-addresses=${quoted(resolver)} protocol=${protocol} dst-port=53 in-interface=$lan`,
      ),
      ...(families.length > 1
        ? [
            add(
              '/ipv6/firewall/filter',
              `chain=input action=reject protocol=${protocol} dst-port=53 in-interface=$lan`,
            ),
          ]
        : []),
    ]),
  ]
  return `# WireGuard for a MikroTik router with RouterOS 7. Import this file, or paste all of it into a terminal.
{
# What your devices are connected to. Name another interface here if yours is not called bridge.
:local lan "bridge"
:if ([:len [/interface/find name=$lan]] = 0) do={ :error "There is no interface of that name. Nothing was changed." }
${tunnel.clientPrivateKey ? '' : KEY_TO_PUT_IN}
# Takes out what an earlier file of this connection has added. These lines alone remove the connection.
${routerOsRemoval(name)}

${lines.join('\n')}
}
`
}
