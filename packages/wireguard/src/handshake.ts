import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  derive,
  deriveOne,
  deriveTwo,
  dh,
  hash,
  mac,
  open,
  privateOf,
  raw,
  rawPublic,
  seal,
} from './noise.ts'
import { createWire, type Wire } from './wire.ts'

/**
 * WireGuard's handshake, the initiator's half (whitepaper, section 5.4; Noise_IKpsk2). In here, so that a node can be tried
 * as a customer's device does it, without an interface, another program or more rights.
 */

/** Of the initiator's end, in Base64. */
export type EndKeys = { privateKey: string; serverPublicKey: string; presharedKey: string }

export const CONSTRUCTION = 'Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s'
export const IDENTIFIER = 'WireGuard v1 zx2c4 Jason@zx2c4.com'
export const LABEL_MAC1 = 'mac1----'
const FIRST_CHAIN = hash(CONSTRUCTION)
const FIRST_HASH = hash(FIRST_CHAIN, IDENTIFIER)
/** At the end of a message: a code that shows that the key of the other end is known, and one of a cookie. */
const MACS_BYTES = 32

/** Of a clock that never goes back. */
const steadyNow = (): number => performance.timeOrigin + performance.now()

/** TAI64N: a node takes no handshake that is older than the one before. */
const timestamp = (ms: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(2n ** 62n + 10n + BigInt(Math.floor(ms / 1000)))
  bytes.writeUInt32BE(Math.floor((ms % 1000) * 1_000_000), 8)
  return bytes
}

export type Session = { receiver: number; sendKey: Buffer; receiveKey: Buffer }

export type Handshake = {
  initiation: Buffer
  /** Undefined: it is no response to this, or not from who holds the server's key. */
  finish: (response: Buffer) => Session | undefined
  /** Whether a server has answered: by a response, or under load by a cookie, which says to come again. */
  isAnsweredBy: (answer: Buffer) => boolean
}

const PLAIN = createWire()

/**
 * A first message to a server, and what its answer makes of it. `nowMs` has to be later than at the last one; `wire` is how the
 * server's messages look.
 */
export const beginHandshake = (
  { privateKey, serverPublicKey, presharedKey }: EndKeys,
  nowMs = steadyNow(),
  wire: Wire = PLAIN,
): Handshake => {
  const server = raw(serverPublicKey)
  const own = privateOf(raw(privateKey))
  const ownPublic = rawPublic(own)
  const ephemeral = generateKeyPairSync('x25519').privateKey
  const ephemeralPublic = rawPublic(ephemeral)
  const sender = randomBytes(4)

  let chain = deriveOne(FIRST_CHAIN, ephemeralPublic)
  let transcript = hash(hash(FIRST_HASH, server), ephemeralPublic)
  let key: Buffer
  ;[chain, key] = deriveTwo(chain, dh(ephemeral, server))
  const sealedStatic = seal(key, 0n, ownPublic, transcript)
  transcript = hash(transcript, sealedStatic)
  ;[chain, key] = deriveTwo(chain, dh(own, server))
  const sealedTime = seal(key, 0n, timestamp(nowMs), transcript)
  transcript = hash(transcript, sealedTime)

  const body = Buffer.concat([wire.type('initiation'), sender, ephemeralPublic, sealedStatic, sealedTime])
  const signed = Buffer.concat([body, mac(hash(LABEL_MAC1, server), body), Buffer.alloc(16)])

  const responseIn = (answer: Buffer): Buffer | undefined => {
    const { kind, message } = wire.unwrap(answer) ?? {}
    if (kind !== 'response' || !message?.subarray(8, 12).equals(sender)) return undefined
    const code = mac(hash(LABEL_MAC1, ownPublic), message.subarray(0, -MACS_BYTES))
    return code.equals(message.subarray(-MACS_BYTES, -16)) ? message : undefined
  }
  const finish = (answer: Buffer): Session | undefined => {
    const response = responseIn(answer)
    if (!response) return undefined
    const theirs = response.subarray(12, 44)
    let after = deriveOne(chain, theirs)
    try {
      after = deriveOne(after, dh(ephemeral, theirs))
      after = deriveOne(after, dh(own, theirs))
    } catch {
      // A key that makes no secret.
      return undefined
    }
    const [next, mixed, sealKey] = derive(after, raw(presharedKey), 3) as [Buffer, Buffer, Buffer]
    const proof = open(sealKey, 0n, response.subarray(44, 60), hash(hash(transcript, theirs), mixed))
    if (!proof) return undefined
    const [sendKey, receiveKey] = deriveTwo(next, Buffer.alloc(0))
    return { receiver: response.readUInt32LE(4), sendKey, receiveKey }
  }
  const isCookie = (answer: Buffer): boolean => {
    const { kind, message } = wire.unwrap(answer) ?? {}
    return kind === 'cookie' && message?.subarray(4, 8).equals(sender) === true
  }
  return {
    initiation: wire.wrap('initiation', signed),
    finish,
    isAnsweredBy: (answer) => isCookie(answer) || finish(answer) !== undefined,
  }
}
