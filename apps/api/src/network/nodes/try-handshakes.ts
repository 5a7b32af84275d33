import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as otherWork, setTimeout as pause } from 'node:timers/promises'
import { plainAddress } from '@hedgerow/domain/networks'
import { beginHandshake, type EndKeys, type Handshake, receiverOf } from '@hedgerow/wireguard/handshake'

/** An address and port where a node should answer. */
type Target = { keys: EndKeys; address: string; port: number }

/** 'unsent': this machine has no way there. */
type Outcome = 'answered' | 'silent' | 'unsent'

/** Some are lost on the way: so many in a row within so short a time only where nothing gets through. */
const TRIES = 5
const TRY_MS = 2_000

type Hear = (message: Buffer, from: { address: string; port: number }) => void
type Waiting = { target: Target; handshake: Handshake; onAnswer: () => void }

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

/** One for each family, for all handshakes of a run. What does not answer one of them costs next to nothing. */
const openSockets = async (waiting: ReadonlyMap<number, Waiting>) => {
  const onMessage: Hear = (message, from) => {
    const index = receiverOf(message)
    const one = index === undefined ? undefined : waiting.get(index)
    if (!one) return
    // A customer's router lets answers in from where the customer sent something, and from nowhere else.
    const isFromThere =
      from.port === one.target.port && plainAddress(from.address) === plainAddress(one.target.address)
    if (isFromThere && one.handshake.isAnsweredBy(message)) one.onAnswer()
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
const begin = (keys: EndKeys, nowMs: number): Handshake | undefined => {
  try {
    return beginHandshake(keys, nowMs)
  } catch {
    return undefined
  }
}

/**
 * Begins WireGuard's handshake with nodes, as a customer's device would. `nowMs` is later each time that it is asked.
 */
export const openHandshakes = async (nowMs: () => number, tryMs = TRY_MS) => {
  const waiting = new Map<number, Waiting>()
  const { send, close } = await openSockets(waiting)
  /** A handshake takes a millisecond or two: between two of them others have their turn. */
  let last: Promise<unknown> = Promise.resolve()
  const turn = () => {
    last = last.then(() => otherWork())
    return last
  }

  const tryOne = async (target: Target): Promise<Outcome> => {
    const indices: number[] = []
    const answered = new AbortController()
    let hasSent = false
    for (let left = TRIES; left > 0 && !answered.signal.aborted; left--) {
      await turn()
      const handshake = begin(target.keys, nowMs())
      if (!handshake) return 'silent'
      indices.push(handshake.index)
      waiting.set(handshake.index, { target, handshake, onAnswer: () => answered.abort() })
      const isSent = await send(target, handshake.initiation)
      hasSent ||= isSent
      await pause(tryMs, undefined, { signal: answered.signal }).catch(() => undefined)
    }
    for (const index of indices) waiting.delete(index)
    if (answered.signal.aborted) return 'answered'
    return hasSent ? 'silent' : 'unsent'
  }
  return { try: tryOne, close }
}
