import { DISGUISES, type Disguise } from './disguise.ts'

/** What a connection's file may say otherwise than the plain one, which sends everything through the tunnel. */
export const FILE_FORMS = [
  'ipv4-only',
  'without-home',
  'second-port',
  'amneziawg',
  'small-packets',
  'routeros',
] as const
export type FileForm = (typeof FILE_FORMS)[number]

/** As customers read of them. */
export const FILE_FORM_WORDS: Readonly<Record<FileForm, { label: string; hint: string }>> = {
  'without-home': {
    label: 'Everything but my home network',
    hint: 'Printers and drives at home or at work stay in reach. Linux keeps them in reach with the ordinary file, too.',
  },
  'ipv4-only': {
    label: 'IPv4 only',
    hint: 'For a device without IPv6, such as many containers. On any other device, IPv6 would not go through the tunnel.',
  },
  'second-port': {
    label: 'Through the other port',
    hint: 'For networks that block WireGuard’s usual port, as in some hotels and offices.',
  },
  amneziawg: {
    label: 'For networks that block WireGuard',
    hint: 'For the AmneziaWG app, 2.0.0 or newer, or AmneziaVPN, 4.8.12.9 or newer. The WireGuard apps do not read it.',
  },
  'small-packets': {
    label: 'Small packets',
    hint: 'If some pages never finish loading, as on some mobile networks. A little slower.',
  },
  routeros: {
    label: 'As commands for a MikroTik router',
    hint: 'A file to import into RouterOS 7. The WireGuard apps do not read it, and it has no code to scan.',
  },
}

/** Of an obfuscated location, whose files are all for that app. */
export const OBFUSCATED_LOCATION = {
  label: 'for networks that block WireGuard',
  needs: 'Needs the AmneziaWG app, 2.0.0 or newer.',
} as const

/** As configuration files write it; `address` and `allowedIPs` are lists of networks with a comma and a blank between. */
export type Tunnel = {
  address: string
  allowedIPs: string
  endpoint: string
  mtu?: number
  /** What the forms put into it, as far as there is any. */
  secondPort?: number | undefined
  disguiseForApps?: Disguise | undefined
  /** What its node wants of every packet, which AmneziaWG apps alone can do. */
  obfuscation?: object | undefined
}

/** Whether AmneziaWG apps read its file, and WireGuard's refuse it. */
export const isForAmneziaWg = (
  { disguiseForApps, obfuscation }: Pick<Tunnel, 'disguiseForApps' | 'obfuscation'>,
  forms: readonly FileForm[],
): boolean =>
  obfuscation !== undefined ||
  (disguiseForApps !== undefined && forms.includes('amneziawg') && !forms.includes('routeros'))

/** What every IPv6 network has to carry: mobile networks that wrap packets in others leave no more. */
const SMALL_MTU = 1280

type Network = { address: number; prefix: number }

const toNumber = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const toText = ({ address, prefix }: Network): string =>
  `${[24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')}/${prefix}`

const readNetwork = (text: string): Network => {
  const [address = '', prefix = '32'] = text.split('/')
  return { address: toNumber(address), prefix: Number(prefix) }
}

const isWithin = (inner: Network, { address, prefix }: Network): boolean => {
  const size = 2 ** (32 - prefix)
  return inner.prefix >= prefix && Math.floor(inner.address / size) === Math.floor(address / size)
}

/** What of a network is left without some that lie in it: the fewest networks that have all else. */
const without = (network: Network, holes: readonly Network[]): Network[] => {
  if (holes.some((hole) => isWithin(network, hole))) return []
  if (!holes.some((hole) => isWithin(hole, network))) return [network]
  const prefix = network.prefix + 1
  const upper = network.address + 2 ** (32 - prefix)
  return [network.address, upper].flatMap((address) => without({ address, prefix }, holes))
}

/** Private, of a single link, and for groups: what a home or an office has around it (RFC 1918, 3927, 5771). */
const AROUND_A_DEVICE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '224.0.0.0/3']

/** All that is assigned on the internet (RFC 4291). */
const INTERNET_IPV6 = '2000::/3'

const HOST_IPV4 = /^(\d+\.\d+\.\d+\.\d+):\d+$/

/**
 * Everything but the networks around the device. Without the node's own address either, where the file names it by number:
 * wg-quick sees by a route to everything alone that packets to the node must not go into the tunnel. One that is named by an IPv6
 * address keeps all of IPv6 for that.
 */
const withoutHome = ({ allowedIPs, endpoint }: Tunnel): string => {
  const own = HOST_IPV4.exec(endpoint)?.[1]
  const holes = [...AROUND_A_DEVICE, ...(own ? [own] : [])].map(readNetwork)
  return allowedIPs
    .split(', ')
    .flatMap((network) => {
      if (network === '0.0.0.0/0') return without(readNetwork(network), holes).map(toText)
      return network === '::/0' && !endpoint.startsWith('[') ? [INTERNET_IPV6] : [network]
    })
    .join(', ')
}

const withoutIpv6 = (list: string): string =>
  list
    .split(', ')
    .filter((one) => !one.includes(':'))
    .join(', ')

/**
 * The tunnel as its file says it in a form. 'ipv4-only': for a device without IPv6, where wg-quick takes the whole tunnel
 * down; on another, IPv6 would go past the tunnel. 'second-port' changes nothing where the node has none. 'routeros' says the same in
 * other words, which is up to who writes the file. An obfuscated node puts bytes before every packet, so packets are small there;
 * AmneziaVPN knows its file by a disguise.
 */
export const inForm = <T extends Tunnel>(
  tunnel: T,
  forms: readonly FileForm[],
): T & { disguise?: Disguise } => {
  const { secondPort, obfuscation } = tunnel
  const disguise = tunnel.disguiseForApps ?? (obfuscation && DISGUISES.junk)
  const has = (form: FileForm) => forms.includes(form)
  const allowedIPs = has('without-home') ? withoutHome(tunnel) : tunnel.allowedIPs
  const of = (list: string) => (has('ipv4-only') ? withoutIpv6(list) : list)
  return {
    ...tunnel,
    address: of(tunnel.address),
    allowedIPs: of(allowedIPs),
    ...(has('second-port') && secondPort
      ? { endpoint: tunnel.endpoint.replace(/\d+$/, String(secondPort)) }
      : {}),
    ...(has('small-packets') || obfuscation ? { mtu: SMALL_MTU } : {}),
    ...(disguise && (has('amneziawg') || obfuscation) ? { disguise } : {}),
  }
}

/** What the file of an obfuscated node has anyway, or what does not read it. */
const NOT_WITH_OBFUSCATION: readonly FileForm[] = ['amneziawg', 'small-packets', 'routeros']

/** Which of them make a difference. */
export const formsFor = ({ secondPort, disguiseForApps, obfuscation }: Omit<Tunnel, 'mtu'>): FileForm[] =>
  FILE_FORMS.filter(
    (form) =>
      (form !== 'second-port' || secondPort) &&
      (form !== 'amneziawg' || disguiseForApps) &&
      !(obfuscation && NOT_WITH_OBFUSCATION.includes(form)),
  )

/** No device reads both: the one that is ticked last stays. */
const ALTERNATIVES: readonly FileForm[] = ['amneziawg', 'routeros']

/** After one was ticked, or not any more. */
export const withForm = (forms: readonly FileForm[], form: FileForm, isOn: boolean): FileForm[] => {
  const others = forms.filter(
    (other) => other !== form && !(isOn && ALTERNATIVES.includes(form) && ALTERNATIVES.includes(other)),
  )
  return isOn ? [...others, form] : others
}
