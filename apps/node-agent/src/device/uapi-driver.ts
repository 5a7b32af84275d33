import type { Dialect } from '#device/dialect.ts'
import {
  allowedIpsOf,
  type DevicePeer,
  type DeviceReading,
  type Driver,
  type PeerReading,
} from '#device/driver.ts'
import { placeOf } from '#device/place.ts'
import { converse } from '#device/uapi-socket.ts'

const toHex = (key: string): string => Buffer.from(key, 'base64').toString('hex')
const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const removal = (publicKey: string): string => `public_key=${toHex(publicKey)}\nremove=true\n`

const setting = (peer: DevicePeer): string =>
  `public_key=${toHex(peer.publicKey)}\npreshared_key=${toHex(peer.presharedKey)}\nreplace_allowed_ips=true\n` +
  allowedIpsOf(peer)
    .map((network) => `allowed_ip=${network}\n`)
    .join('')

/** Takes lines of an answer one by one. */
const createReading = () => {
  const reading: DeviceReading = { privateKey: '', listenPort: 0, parameters: [], peers: new Map() }
  let peer: PeerReading | undefined
  const takers: Record<string, (value: string) => void> = {
    private_key: (value) => (reading.privateKey = toBase64(value)),
    listen_port: (value) => (reading.listenPort = Number(value)),
    public_key: (value) => {
      peer = {
        presharedKey: '',
        allowedIps: [],
        hasEndpoint: false,
        place: '',
        handshakeS: 0,
        received: 0,
        sent: 0,
      }
      reading.peers.set(toBase64(value), peer)
    },
  }
  const peerTakers: Record<string, (into: PeerReading, value: string) => void> = {
    preshared_key: (into, value) => (into.presharedKey = toBase64(value)),
    allowed_ip: (into, value) => into.allowedIps.push(value),
    endpoint: (into, value) => {
      into.hasEndpoint = true
      into.place = placeOf(value)
    },
    last_handshake_time_sec: (into, value) => (into.handshakeS = Number(value)),
    rx_bytes: (into, value) => (into.received = Number(value)),
    tx_bytes: (into, value) => (into.sent = Number(value)),
  }
  const take = (line: string): void => {
    const at = line.indexOf('=')
    const [key, value] = [line.slice(0, at), line.slice(at + 1)]
    takers[key]?.(value)
    if (/^[sh][1-4]$/.test(key)) reading.parameters.push(line)
    if (peer) peerTakers[key]?.(peer, value)
  }
  return { take, reading }
}

/** Speaks to a program by its socket: no process is started, so that one change costs a fraction of a millisecond. */
export const createUapiDriver = (
  { program }: Dialect,
  path: string,
  parameters: readonly string[] = [],
): Driver => {
  const own = parameters.map((line) => `${line}\n`).join('')
  return {
    name: program,
    parameters,
    configure: (privateKey, listenPort) =>
      converse(path, `set=1\nprivate_key=${toHex(privateKey)}\nlisten_port=${listenPort}\n${own}\n`),
    change: (gone, set) =>
      converse(path, `set=1\n${gone.map(removal).join('')}${set.map(setting).join('')}\n`),
    read: async () => {
      const { take, reading } = createReading()
      await converse(path, 'get=1\n\n', take)
      return reading
    },
  }
}
