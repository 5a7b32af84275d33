import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { blake2s } from '@noble/hashes/blake2.js'

/**
 * WireGuard's handshake, the initiator's half (whitepaper, section 5.4; Noise_IKpsk2). In here, so that a node can be tried
 * through its own front door without another interface, another program or more rights.
 */

export type ProbeKeys = { privateKey: string; serverPublicKey: string; presharedKey: string }

const CONSTRUCTION = 'Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s'
const IDENTIFIER = 'WireGuard v1 zx2c4 Jason@zx2c4.com'
const LABEL_MAC1 = 'mac1----'
const CIPHER = 'chacha20-poly1305'
const TAG_BYTES = 16
const INITIATION = 1
const RESPONSE = 2
const RESPONSE_BYTES = 92

const raw = (base64: string) => Buffer.from(base64, 'base64')
const hash = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.from(blake2s(Buffer.concat(parts.map((part) => Buffer.from(part)))))
const mac = (key: Buffer, text: Buffer): Buffer => Buffer.from(blake2s(text, { key, dkLen: 16 }))
const hmac = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('blake2s256', key).update(Buffer.concat(parts)).digest()

/** Keys derived from a chaining key and an input: as many as are asked for. */
const derive = (key: Buffer, input: Buffer, count: number): Buffer[] => {
  const secret = hmac(key, input)
  const keys: Buffer[] = []
  for (let n = 1; n <= count; n++) keys.push(hmac(secret, keys.at(-1) ?? Buffer.alloc(0), Buffer.from([n])))
  return keys
}
const deriveOne = (key: Buffer, input: Buffer) => derive(key, input, 1)[0] as Buffer
const deriveTwo = (key: Buffer, input: Buffer) => derive(key, input, 2) as [Buffer, Buffer]

const nonce = (counter: bigint): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64LE(counter, 4)
  return bytes
}

export const seal = (key: Buffer, counter: bigint, text: Buffer, aad: Buffer = Buffer.alloc(0)): Buffer => {
  const cipher = createCipheriv(CIPHER, key, nonce(counter), { authTagLength: TAG_BYTES })
  cipher.setAAD(aad, { plaintextLength: text.length })
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Undefined: it is not from who holds the key. */
export const open = (
  key: Buffer,
  counter: bigint,
  sealed: Buffer,
  aad: Buffer = Buffer.alloc(0),
): Buffer | undefined => {
  if (sealed.length < TAG_BYTES) return undefined
  const text = sealed.subarray(0, -TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce(counter), { authTagLength: TAG_BYTES })
  decipher.setAAD(aad, { plaintextLength: text.length })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}

/** What comes before a raw key in its DER form (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
const SPKI = Buffer.from('302a300506032b656e032100', 'hex')
const privateOf = (key: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, key]), format: 'der', type: 'pkcs8' })
const publicOf = (key: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' })
const rawPublic = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
const dh = (own: KeyObject, other: Buffer): Buffer =>
  diffieHellman({ privateKey: own, publicKey: publicOf(other) })

/** TAI64N of a clock that never goes back: a node takes no handshake that is older than the one before. */
const timestamp = (): Buffer => {
  const ms = performance.timeOrigin + performance.now()
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(2n ** 62n + 10n + BigInt(Math.floor(ms / 1000)))
  bytes.writeUInt32BE(Math.floor((ms % 1000) * 1_000_000), 8)
  return bytes
}

export type Session = { receiver: number; sendKey: Buffer; receiveKey: Buffer }

export type Handshake = {
  initiation: Buffer
  /** Undefined: it is no answer to this, or not from who holds the server's key. */
  finish: (response: Buffer) => Session | undefined
}

/** A first message to a server, and what its answer makes of it. Keys are WireGuard's, in Base64. */
export const beginHandshake = ({ privateKey, serverPublicKey, presharedKey }: ProbeKeys): Handshake => {
  const server = raw(serverPublicKey)
  const own = privateOf(raw(privateKey))
  const ephemeral = generateKeyPairSync('x25519').privateKey
  const ephemeralPublic = rawPublic(ephemeral)
  const sender = randomBytes(4)

  let chain = deriveOne(hash(CONSTRUCTION), ephemeralPublic)
  let transcript = hash(hash(hash(hash(CONSTRUCTION), IDENTIFIER), server), ephemeralPublic)
  let key: Buffer
  ;[chain, key] = deriveTwo(chain, dh(ephemeral, server))
  const sealedStatic = seal(key, 0n, rawPublic(own), transcript)
  transcript = hash(transcript, sealedStatic)
  ;[chain, key] = deriveTwo(chain, dh(own, server))
  const sealedTime = seal(key, 0n, timestamp(), transcript)
  transcript = hash(transcript, sealedTime)

  const body = Buffer.concat([
    Buffer.from([INITIATION, 0, 0, 0]),
    sender,
    ephemeralPublic,
    sealedStatic,
    sealedTime,
  ])
  const initiation = Buffer.concat([body, mac(hash(LABEL_MAC1, server), body), Buffer.alloc(16)])

  const finish = (response: Buffer): Session | undefined => {
    const isAnswer =
      response.length === RESPONSE_BYTES &&
      response[0] === RESPONSE &&
      response.subarray(8, 12).equals(sender)
    if (!isAnswer) return undefined
    const theirs = response.subarray(12, 44)
    let after = deriveOne(chain, theirs)
    after = deriveOne(after, dh(ephemeral, theirs))
    after = deriveOne(after, dh(own, theirs))
    const [next, mixed, sealKey] = derive(after, raw(presharedKey), 3) as [Buffer, Buffer, Buffer]
    const proof = open(sealKey, 0n, response.subarray(44, 60), hash(hash(transcript, theirs), mixed))
    if (!proof) return undefined
    const [sendKey, receiveKey] = deriveTwo(next, Buffer.alloc(0))
    return { receiver: response.readUInt32LE(4), sendKey, receiveKey }
  }
  return { initiation, finish }
}
