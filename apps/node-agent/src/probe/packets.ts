import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IP packets as far as a probe needs them: no options, no pieces. */

export const TCP = 6
export const UDP = 17
const TTL = 64
const IPV4_BYTES = 20
const IPV6_BYTES = 40

export type Segment = { from: string; to: string; protocol: number; body: Buffer }

const bytesOf = (address: string): Buffer => Buffer.from(ipaddr.parse(address).toByteArray())
const addressOf = (bytes: Buffer): string => ipaddr.fromByteArray([...bytes]).toString()

/** The internet's checksum (RFC 1071). */
const checksum = (...parts: readonly Buffer[]): number => {
  const all = Buffer.concat(parts)
  let sum = 0
  for (let i = 0; i < all.length; i += 2) sum += ((all[i] ?? 0) << 8) + (all[i + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return ~sum & 0xffff
}

/** Of the body together with the addresses, at this place of the body. */
const CHECKSUM_AT: Readonly<Record<number, number>> = { [TCP]: 16, [UDP]: 6 }

/** Puts the checksum into the body. */
const sum = ({ from, to, protocol, body }: Segment): void => {
  const at = CHECKSUM_AT[protocol] ?? 0
  body.writeUInt16BE(0, at)
  const rest = Buffer.alloc(8)
  rest.writeUInt32BE(body.length)
  rest[7] = protocol
  body.writeUInt16BE(checksum(bytesOf(from), bytesOf(to), rest, body) || 0xffff, at)
}

export const packetOf = (segment: Segment): Buffer => {
  sum(segment)
  const { from, to, protocol, body } = segment
  if (isIPv6(from)) {
    const header = Buffer.alloc(8)
    header[0] = 0x60
    header.writeUInt16BE(body.length, 4)
    header[6] = protocol
    header[7] = TTL
    return Buffer.concat([header, bytesOf(from), bytesOf(to), body])
  }
  const header = Buffer.alloc(IPV4_BYTES)
  header[0] = 0x45
  header.writeUInt16BE(IPV4_BYTES + body.length, 2)
  header[6] = 0x40
  header[8] = TTL
  header[9] = protocol
  bytesOf(from).copy(header, 12)
  bytesOf(to).copy(header, 16)
  header.writeUInt16BE(checksum(header), 10)
  return Buffer.concat([header, body])
}

/** Undefined: it is nothing that a probe asked for. */
export const segmentOf = (packet: Buffer): Segment | undefined => {
  const version = (packet[0] ?? 0) >> 4
  if (version === 4 && packet.length >= IPV4_BYTES) {
    const start = ((packet[0] ?? 0) & 15) * 4
    const body = packet.subarray(start, packet.readUInt16BE(2))
    const [from, to] = [packet.subarray(12, 16), packet.subarray(16, 20)]
    return { from: addressOf(from), to: addressOf(to), protocol: packet[9] ?? 0, body }
  }
  if (version === 6 && packet.length >= IPV6_BYTES) {
    const body = packet.subarray(IPV6_BYTES, IPV6_BYTES + packet.readUInt16BE(4))
    const [from, to] = [packet.subarray(8, 24), packet.subarray(24, 40)]
    return { from: addressOf(from), to: addressOf(to), protocol: packet[6] ?? 0, body }
  }
  return undefined
}
