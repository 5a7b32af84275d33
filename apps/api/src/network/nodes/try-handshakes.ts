import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as otherWork, setTimeout as pause } from 'node:timers/promises'
import { plainAddress } from '@hedgerow/domain/networks'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { beginHandshake, type EndKeys, type Handshake } from '@hedgerow/wireguard/handshake'
import { createWire } from '@hedgerow/wireguard/wire'

/** An address and port where a node should answer. */
type Target = { keys: EndKeys; obfuscation?: Obfuscation | undefined; address: string; port: number }

/** 'unsent': this machine has no way there. */
type Outcome = 'answered' | 'silent' | 'unsent'

/** Some are lost on the way: so many in a row within so short a time only where nothing gets through. */
const TRIES = 5
const TRY_MS = 2_000

type Hear = (message: Buffer, from: { address: string; port: number }) => void
type Waiting = { place: string; handshakes: Handshake[]; onAnswer: () => void }

/** Undefined: this machine has none of the family. */
const openSocket = async (type: 'udp4' | 'udp6', onMessage: Hear): Promise<Socket | undefined> => {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  const isOpen = once(socket, 'listening').then(
    () => true,
    () => false,
  )
  socket.bind(0)
  if (!(await isOpen)) return undefined
  // What cannot be sent is said where it was sent.
  return socket.on('message', onMessage).on('error', () => undefined)
}

const placeOf = ({ address, port }: Pick<Target, 'address' | 'port'>): string =>
  `${plainAddress(address)} ${port}`

/**
 * One for each family, for all handshakes of a run. A customer's router lets answers in from where the customer sent
 * something, and from nowhere else. What does not answer one of them costs next to nothing.
 */
const openSockets = async (waiting: ReadonlySet<Waiting>) => {
  const onMessage: Hear = (message, from) => {
    const place = placeOf(from)
    for (const one of waiting)
      if (one.place === place && one.handshakes.some((begun) => begun.isAnsweredBy(message))) one.onAnswer()
  }
  const [ipv4, ipv6] = await Promise.all([openSocket('udp4', onMessage), openSocket('udp6', onMessage)])
  return {
    send: ({ address, port }: Target, message: Buffer): Promise<boolean> =>
      new Promise((said) => {
        const socket = address.includes(':') ? ipv6 : ipv4
        if (socket) socket.send(message, port, address, (error) => said(!error))
        else said(false)
      }),
    close: () => {
      for (const socket of [ipv4, ipv6]) socket?.close()
    },
  }
}

/** Undefined: the node has a key that makes no secret, so that no one gets an answer. */
const begin = ({ keys, obfuscation }: Target, nowMs: number): Handshake | undefined => {
  try {
    return beginHandshake(keys, nowMs, createWire(obfuscation))
  } catch {
    return undefined
  }
}

/**
 * Begins WireGuard's handshake with nodes, as a customer's device would. `nowMs` is later each time that it is asked.
 */
export const openHandshakes = async (nowMs: () => number, tryMs = TRY_MS) => {
  const waiting = new Set<Waiting>()
  const { send, close } = await openSockets(waiting)
  /** A handshake takes a millisecond or two: between two of them others have their turn. */
  let last: Promise<unknown> = Promise.resolve()
  const turn = () => {
    last = last.then(() => otherWork())
    return last
  }

  /** `sent`: so many handshakes were on their way; but for the last of one that answers, all of them were lost. */
  const tryOne = async (target: Target): Promise<{ outcome: Outcome; sent: number }> => {
    const answered = new AbortController()
    const handshakes: Handshake[] = []
    const begun: Waiting = { place: placeOf(target), handshakes, onAnswer: () => answered.abort() }
    waiting.add(begun)
    let sent = 0
    for (let left = TRIES; left > 0 && !answered.signal.aborted; left--) {
      await turn()
      const handshake = begin(target, nowMs())
      if (!handshake) break
      handshakes.push(handshake)
      const isSent = await send(target, handshake.initiation)
      if (isSent) sent++
      await pause(tryMs, undefined, { signal: answered.signal }).catch(() => undefined)
    }
    waiting.delete(begun)
    if (answered.signal.aborted) return { outcome: 'answered', sent }
    return { outcome: sent > 0 || handshakes.length === 0 ? 'silent' : 'unsent', sent }
  }
  return { try: tryOne, close }
}
