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
const INITIATION = 1
const RESPONSE = 2
const COOKIE_REPLY = 3
const RESPONSE_BYTES = 92
const COOKIE_REPLY_BYTES = 64
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

/** For which of the initiator's handshakes an answer is; undefined: it is no answer. */
export const receiverOf = (answer: Buffer): number | undefined => {
  if (answer[0] === RESPONSE && answer.length === RESPONSE_BYTES) return answer.readUInt32LE(8)
  if (answer[0] === COOKIE_REPLY && answer.length === COOKIE_REPLY_BYTES) return answer.readUInt32LE(4)
  return undefined
}

export type Handshake = {
  initiation: Buffer
  /** By which answers name it. */
  index: number
  /** Undefined: it is no response to this, or not from who holds the server's key. */
  finish: (response: Buffer) => Session | undefined
  /** Whether a server has answered: by a response, or under load by a cookie, which says to come again. */
  isAnsweredBy: (answer: Buffer) => boolean
}

/** A first message to a server, and what its answer makes of it. `nowMs` has to be later than at the last one. */
export const beginHandshake = (
  { privateKey, serverPublicKey, presharedKey }: EndKeys,
  nowMs = steadyNow(),
): Handshake => {
  const server = raw(serverPublicKey)
  const own = privateOf(raw(privateKey))
  const ownPublic = rawPublic(own)
  const ephemeral = generateKeyPairSync('x25519').privateKey
  const ephemeralPublic = rawPublic(ephemeral)
  const sender = randomBytes(4)
  const index = sender.readUInt32LE(0)

  let chain = deriveOne(FIRST_CHAIN, ephemeralPublic)
  let transcript = hash(hash(FIRST_HASH, server), ephemeralPublic)
  let key: Buffer
  ;[chain, key] = deriveTwo(chain, dh(ephemeral, server))
  const sealedStatic = seal(key, 0n, ownPublic, transcript)
  transcript = hash(transcript, sealedStatic)
  ;[chain, key] = deriveTwo(chain, dh(own, server))
  const sealedTime = seal(key, 0n, timestamp(nowMs), transcript)
  transcript = hash(transcript, sealedTime)

  const body = Buffer.concat([
    Buffer.from([INITIATION, 0, 0, 0]),
    sender,
    ephemeralPublic,
    sealedStatic,
    sealedTime,
  ])
  const initiation = Buffer.concat([body, mac(hash(LABEL_MAC1, server), body), Buffer.alloc(16)])

  const isForUs = (response: Buffer): boolean => {
    if (response[0] !== RESPONSE || receiverOf(response) !== index) return false
    const signed = response.subarray(0, -MACS_BYTES)
    return mac(hash(LABEL_MAC1, ownPublic), signed).equals(response.subarray(-MACS_BYTES, -16))
  }
  const finish = (response: Buffer): Session | undefined => {
    if (!isForUs(response)) return undefined
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
  return {
    initiation,
    index,
    finish,
    isAnsweredBy: (answer) =>
      answer[0] === COOKIE_REPLY ? receiverOf(answer) === index : finish(answer) !== undefined,
  }
}
