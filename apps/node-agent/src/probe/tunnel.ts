import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { beginHandshake, type EndKeys, type Session } from '@hedgerow/wireguard/handshake'
import { open, seal } from '@hedgerow/wireguard/noise'
import { createWire, type Wire } from '@hedgerow/wireguard/wire'

const HEADER_BYTES = 16
const PAD_TO = 16
const TRIES = 4
const ANSWER_WITHIN_MS = 1_000

export type Tunnel = {
  /** Sends an IP packet. */
  send: (packet: Buffer) => void
  /** Hears each IP packet that comes out; returns how to stop hearing them. */
  listen: (hear: (packet: Buffer) => void) => () => void
  close: () => void
}

const wrap = (wire: Wire, { receiver, sendKey }: Session, counter: bigint, packet: Buffer): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  wire.type('data').copy(header)
  header.writeUInt32LE(receiver, 4)
  header.writeBigUInt64LE(counter, 8)
  const padded = Buffer.alloc(Math.ceil(packet.length / PAD_TO) * PAD_TO)
  packet.copy(padded)
  return wire.wrap('data', Buffer.concat([header, seal(sendKey, counter, padded)]))
}

const unwrap = (wire: Wire, { receiveKey }: Session, sent: Buffer): Buffer | undefined => {
  const { kind, message } = wire.unwrap(sent) ?? {}
  if (kind !== 'data' || !message) return undefined
  return open(receiveKey, message.readBigUInt64LE(8), message.subarray(HEADER_BYTES))
}

/** A tunnel to this machine's own WireGuard port, as a customer's device makes one. Throws when nothing answers. */
export const openTunnel = async (
  port: number,
  keys: EndKeys,
  obfuscation: Obfuscation | undefined,
): Promise<Tunnel> => {
  const wire = createWire(obfuscation)
  const begin = () => beginHandshake(keys, undefined, wire)
  const socket = createSocket('udp4')
  const hearers = new Set<(packet: Buffer) => void>()
  let session: Session | undefined
  let counter = 0n
  let handshake = begin()
  const ready = new AbortController()
  socket.on('message', (message) => {
    try {
      session ??= handshake.finish(message)
      if (session) ready.abort()
      const packet = session && unwrap(wire, session, message)
      if (packet) for (const hear of hearers) hear(packet)
    } catch {
      // A packet cut short: no answer of the node's.
    }
  })
  // A port that nothing listens on is answered by an error here; the time-out says so.
  socket.on('error', () => undefined)
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (let left = TRIES; left > 0 && !session; left--) {
    handshake = begin()
    socket.send(handshake.initiation, () => undefined)
    await setTimeout(ANSWER_WITHIN_MS, undefined, { signal: ready.signal }).catch(() => undefined)
  }
  if (!session) {
    socket.close()
    throw new Error(`nothing answered on UDP port ${port}`)
  }
  const made = session
  const send = (packet: Buffer) => socket.send(wrap(wire, made, counter++, packet), () => undefined)
  // An empty one confirms the session: before it the server sends nothing.
  send(Buffer.alloc(0))
  return {
    send,
    listen: (hear) => {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
    close: () => socket.close(),
  }
}
