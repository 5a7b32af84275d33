import { createHash } from 'node:crypto'
import { NODE_POSITION, networkAround, type Pool, positionOf } from '@hedgerow/domain/addresses'
import { EMAIL, plainEmail } from '@hedgerow/domain/mailboxes'
import { ipv4PoolFault, ipv6PoolFault, poolsFault } from '@hedgerow/domain/node-places'
import { isPublicKey, WIREGUARD_KEY } from '@hedgerow/domain/public-keys'
import { publicKeyOf } from '@hedgerow/wireguard/keys'
import { endWith, type FoundFile, type FoundPeer, ImportFault } from '#network/imports/found.ts'

/** A device that can be brought. */
export type CheckedPeer = {
  where: string
  /** '' where the file has none. */
  name: string
  publicKey: string
  privateKey: string | null
  presharedKey: string
  position: number
  /** Where its IPv6 address has another place in its network than its IPv4 address. */
  ipv6Position: number | null
  email: string | null
  /** Null: never. */
  end: Date | null
}

export type CheckedFile = {
  serverKey: string
  pool: Pool
  port: number | undefined
  peers: readonly CheckedPeer[]
  leftOut: readonly string[]
}

export type Said = {
  /** Of the server, where the file does not say it. */
  serverKey?: string | undefined
  ipv4?: string | undefined
  ipv6?: string | undefined
  /** Of those for which the file says none. Null: they never end. */
  end: Date | null | undefined
  now: Date
}

/** WireGuard's word for none: a peer without a preshared key has this one. */
const NO_PRESHARED_KEY = Buffer.alloc(32).toString('base64')

/** wireguard-go takes no more. */
const MOST_PEERS = 65_535
const LONGEST_NAME = 40
const LONGEST_EMAIL = 254

const isIpv6 = (text: string) => text.includes(':')

/** One that no other network is likely to have, and that is the same each time. */
const drawnIpv6 = (serverKey: string): string => {
  const hex = createHash('sha256').update(`hedgerow import ${serverKey}`).digest('hex')
  return `fd${hex.slice(0, 2)}:${hex.slice(2, 6)}:${hex.slice(6, 10)}::/64`.replace(
    /:0{1,3}(?=[0-9a-f])/g,
    ':',
  )
}

const poolOf = ({ server }: FoundFile, said: Said, serverKey: string): Pool => {
  const networks = (server?.networks ?? []).map(networkAround)
  const found = (isWanted: (text: string) => boolean) => networks.filter(isWanted)
  const [fours, sixes] = [found((one) => !isIpv6(one)), found(isIpv6)]
  const faults: string[] = []
  for (const [kind, all, own] of [
    ['IPv4', fours, said.ipv4],
    ['IPv6', sixes, said.ipv6],
  ] as const)
    if (all.length > 1 && own === undefined)
      faults.push(
        `The server has more than one ${kind} network: say which one its devices are in, by --${kind.toLowerCase()}.`,
      )
  const ipv4 = said.ipv4 ?? fours[0]
  if (ipv4 === undefined)
    faults.push('The file does not say the server’s IPv4 network: say it by --ipv4 10.8.0.0/24.')
  endWith(faults)
  const pool = { ipv4: ipv4 ?? '', ipv6: said.ipv6 ?? sixes[0] ?? drawnIpv6(serverKey) }
  const fault = ipv4PoolFault(pool.ipv4) ?? ipv6PoolFault(pool.ipv6) ?? poolsFault(pool.ipv4, pool.ipv6)
  if (fault !== undefined) throw new ImportFault([`${pool.ipv4}, ${pool.ipv6}: ${fault}`])
  return pool
}

const nameOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim()

/** 2026-12-31, or with a time; as SQLite writes it too. Undefined for what is no time. */
const readEnd = (text: string): Date | undefined => {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|\+00:?00)?)?$/.exec(text) ?? []
  if (day === undefined) return undefined
  const end = new Date(`${day}T${time ?? '23:59:59'}Z`)
  return Number.isNaN(end.getTime()) || !end.toISOString().startsWith(day) ? undefined : end
}

const hasWholeMask = (prefix: string | undefined, bits: number) =>
  prefix === undefined || prefix === String(bits)

type Places = { position: number; ipv6Position: number | null } | string

const placesOf = (pool: Pool, addresses: readonly string[]): Places => {
  const [fours, sixes] = [addresses.filter((one) => !isIpv6(one)), addresses.filter(isIpv6)]
  if (fours.length !== 1 || sixes.length > 1)
    return 'a device has one IPv4 address and at most one IPv6 address. Networks behind a device cannot be brought.'
  const [ipv4 = '', ipv4Mask] = fours[0]?.split('/') ?? []
  const [ipv6, ipv6Mask] = sixes[0]?.split('/') ?? []
  if (!hasWholeMask(ipv4Mask, 32) || !hasWholeMask(ipv6Mask, 128))
    return 'networks behind a device cannot be brought: its addresses are a /32 and a /128.'
  const position = positionOf(pool, ipv4)
  if (position === undefined)
    return `${ipv4.slice(0, 60)} is no address of the server’s network ${pool.ipv4}.`
  if (position === NODE_POSITION) return `${ipv4} is the address that the node itself has.`
  if (ipv6 === undefined) return { position, ipv6Position: null }
  const ipv6Position = positionOf(pool, ipv6)
  if (ipv6Position === undefined)
    return `${ipv6.slice(0, 60)} is not among the first addresses of ${pool.ipv6}, of which there are as many as in ${pool.ipv4}.`
  if (ipv6Position === NODE_POSITION) return `${ipv6} is the address that the node itself has.`
  return { position, ipv6Position: ipv6Position === position ? null : ipv6Position }
}

const keyFaults = ({ publicKey, privateKey, presharedKey }: FoundPeer, serverKey: string): string[] => {
  if (!isPublicKey(publicKey)) return ['its public key is missing, or is no WireGuard key.']
  if (publicKey === serverKey) return ['its public key is the server’s own.']
  if (presharedKey !== undefined && !WIREGUARD_KEY.test(presharedKey))
    return ['its preshared key is no WireGuard key.']
  if (privateKey === undefined) return []
  const fits = WIREGUARD_KEY.test(privateKey) && publicKeyOf(privateKey) === publicKey
  return fits ? [] : ['its private key does not belong to its public key.']
}

const emailOf = ({ email, name }: FoundPeer): string | null => {
  const plain = plainEmail(email ?? '').toLowerCase()
  if (plain !== '') return plain
  const fromName = plainEmail(name).toLowerCase()
  return EMAIL.test(fromName) && fromName.length <= LONGEST_EMAIL ? fromName : null
}

/** Says what appears a second time. */
const createTwice = (what: string) => {
  const seen = new Map<string, string>()
  return (value: string, where: string): string[] => {
    const first = seen.get(value)
    if (first === undefined) seen.set(value, where)
    return first === undefined ? [] : [`${where}: its ${what} is also that of ${first.toLowerCase()}.`]
  }
}

/** All of a file, or an ImportFault that names each line that is wrong. */
export const checkPeers = (file: FoundFile, said: Said): CheckedFile => {
  const serverKey = file.server?.publicKey ?? said.serverKey
  if (serverKey === undefined || !isPublicKey(serverKey))
    throw new ImportFault([
      'The file does not say the server’s public key: say it by --server-key (wg show wg0 public-key).',
    ])
  const pool = poolOf(file, said, serverKey)
  if (file.peers.length > MOST_PEERS) throw new ImportFault([`A node takes at most ${MOST_PEERS} devices.`])
  const faults: string[] = []
  const leftOut = [...file.leftOut]
  const [twiceKey, twiceIpv4, twiceIpv6] = ['public key', 'IPv4 address', 'IPv6 address'].map(createTwice)
  const peers = file.peers.flatMap((found): CheckedPeer[] => {
    const { where } = found
    const places = placesOf(pool, found.addresses)
    const own = keyFaults(found, serverKey)
    const email = emailOf(found)
    if (email !== null && (!EMAIL.test(email) || email.length > LONGEST_EMAIL))
      own.push('its email is not an address that mail can be sent to.')
    const end = found.end === undefined ? said.end : readEnd(found.end)
    if (end === undefined)
      own.push(
        found.end === undefined
          ? 'the file does not say when it ends: say --days, --end or --never for all such devices.'
          : 'its end is written like 2026-12-31.',
      )
    if (typeof places === 'string') own.push(places)
    faults.push(...own.map((fault) => `${where}: ${fault}`))
    if (typeof places === 'string' || own.length > 0 || end === undefined) return []
    const ipv4Faults = twiceIpv4?.(String(places.position), where) ?? []
    const ipv6Faults = twiceIpv6?.(String(places.ipv6Position ?? places.position), where) ?? []
    faults.push(
      ...(twiceKey?.(found.publicKey, where) ?? []),
      ...(ipv4Faults.length > 0 ? ipv4Faults : ipv6Faults),
    )
    if (end && end <= said.now) {
      leftOut.push(`${where} (${nameOf(found.name)}): it has ended.`)
      return []
    }
    return [
      {
        where,
        name: nameOf(found.name),
        publicKey: found.publicKey,
        privateKey: found.privateKey ?? null,
        presharedKey: found.presharedKey ?? NO_PRESHARED_KEY,
        ...places,
        email,
        end,
      },
    ]
  })
  endWith(faults)
  if (peers.length === 0) throw new ImportFault(['There is no device in this file that could be brought.'])
  return { serverKey, pool, port: file.server?.port, peers, leftOut }
}
