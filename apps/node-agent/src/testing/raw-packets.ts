import { once } from 'node:events'
import type { Namespace } from '@hedgerow/testing/namespaces'

/** Packets that no socket of Node.js sends. Their bytes are made here; Perl, which every Debian has, puts them on the wire. */

const TCP = 6
const UDP = 17
const SYN = 0x5002
const ICMP = 1
const UNREACHABLE = 3
const BAD_PORT = 3
const MORE_TO_COME = 0x2000

const bytesOf = (ipv4: string): number[] => ipv4.split('.').map(Number)

const checksum = (data: Buffer): number => {
  let sum = 0
  for (let i = 0; i < data.length; i += 2) sum += data.readUInt16BE(i)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

type Ends = { from: string; to: string }

/** An IPv4 packet of any protocol. The kernel fills in the checksum of its header. */
export const ipv4Packet = (
  { from, to }: Ends,
  protocol: number,
  data: Buffer,
  id = 0,
  fragment = 0,
): Buffer => {
  const header = Buffer.alloc(20)
  header[0] = 0x45
  header.writeUInt16BE(20 + data.length, 2)
  header.writeUInt16BE(id, 4)
  header.writeUInt16BE(fragment, 6)
  header[8] = 64
  header[9] = protocol
  header.set([...bytesOf(from), ...bytesOf(to)], 12)
  return Buffer.concat([header, data])
}

type Ports = { fromPort: number; toPort: number }

const udp = ({ fromPort, toPort }: Ports, data: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt16BE(fromPort, 0)
  header.writeUInt16BE(toPort, 2)
  header.writeUInt16BE(8 + data.length, 4)
  return Buffer.concat([header, data])
}

/** A datagram from any address. */
export const datagram = (ends: Ends & Ports, text = 'x'): Buffer =>
  ipv4Packet(ends, UDP, udp(ends, Buffer.from(text)))

/** A question for a connection, to which the sender will not come back. */
export const syn = (ends: Ends & Ports): Buffer => {
  const header = Buffer.alloc(20)
  header.writeUInt16BE(ends.fromPort, 0)
  header.writeUInt16BE(ends.toPort, 2)
  header.writeUInt16BE(SYN, 12)
  header.writeUInt16BE(0xffff, 14)
  const { from, to } = ends
  const counted = Buffer.from([...bytesOf(from), ...bytesOf(to), 0, TCP, 0, header.length])
  header.writeUInt16BE(checksum(Buffer.concat([counted, header])), 16)
  return ipv4Packet(ends, TCP, header)
}

/** The first piece of a datagram whose rest never comes. */
export const firstPiece = (ends: Ends & Ports, id: number): Buffer =>
  ipv4Packet(ends, UDP, udp(ends, Buffer.alloc(1200)), id, MORE_TO_COME)

/** "Your datagram did not arrive: nobody listens there", about one that was sent from `about.from` to `about.to`. */
export const unreachable = (ends: Ends, about: Ends & Ports): Buffer => {
  const data = Buffer.concat([Buffer.alloc(8), datagram(about, '')])
  data.set([UNREACHABLE, BAD_PORT])
  // The header inside has no checksum yet, which no one else fills in.
  data.writeUInt16BE(checksum(data.subarray(8, 28)), 18)
  data.writeUInt16BE(checksum(data), 2)
  return ipv4Packet(ends, ICMP, data)
}

const SEND = `socket(S, AF_INET, SOCK_RAW, 255) or die $!;
while (<STDIN>) { chomp; my $p = pack("H*", $_); my $to = substr($p, 16, 4); send(S, $p, 0, pack_sockaddr_in(0, $to)) }`

/** Sends whole IPv4 packets, as they are. */
export const sendRaw = async (where: Pick<Namespace, 'spawn'>, packets: readonly Buffer[]): Promise<void> => {
  const child = where.spawn('perl', ['-MSocket', '-e', SEND], {}, ['pipe', 'inherit', 'inherit'])
  child.stdin?.end(packets.map((packet) => `${packet.toString('hex')}\n`).join(''))
  await once(child, 'exit')
}
