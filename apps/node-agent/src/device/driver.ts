import type { Dialect } from '#device/dialect.ts'

/** A peer as the device is to hold it. Without addresses it can begin a session, and send nothing in it. */
export type DevicePeer = Readonly<{ publicKey: string; presharedKey: string; ipv4?: string; ipv6?: string }>

export const allowedIpsOf = ({ ipv4, ipv6 }: DevicePeer): string[] =>
  ipv4 && ipv6 ? [`${ipv4}/32`, `${ipv6}/128`] : []

/** A peer as the device holds it. Where it is on the internet is left out on purpose: it must not leak from here. */
export type PeerReading = {
  presharedKey: string
  allowedIps: string[]
  hasEndpoint: boolean
  /** Another where the endpoint is another; '' without one (placeOf). */
  place: string
  /** Unix seconds; 0: never. */
  handshakeS: number
  received: number
  sent: number
}

export type DeviceReading = {
  privateKey: string
  listenPort: number
  /** What AmneziaWG says of itself, as parametersOf writes it. */
  parameters: string[]
  peers: Map<string, PeerReading>
}

/** How an interface is spoken to. */
export type Driver = {
  name: 'kernel' | Dialect['program']
  /** Of an obfuscated node. */
  parameters: readonly string[]
  configure: (privateKey: string, listenPort: number) => Promise<void>
  /** First those keys go, then these peers are set. Sessions of others, and of peers that stay, are not disturbed. */
  change: (gone: readonly string[], set: readonly DevicePeer[]) => Promise<void>
  read: () => Promise<DeviceReading>
}

/** How many peers are changed by one message or one process. */
export const PEERS_AT_ONCE = 500

export const inBatches = async <T>(
  all: readonly T[],
  work: (batch: readonly T[]) => Promise<void>,
): Promise<void> => {
  for (let i = 0; i < all.length; i += PEERS_AT_ONCE) await work(all.slice(i, i + PEERS_AT_ONCE))
}

export const changePeers = async (
  driver: Driver,
  gone: readonly string[],
  set: readonly DevicePeer[],
): Promise<void> => {
  await inBatches(gone, (batch) => driver.change(batch, []))
  await inBatches(set, (batch) => driver.change([], batch))
}
