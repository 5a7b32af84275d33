import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
} from 'node:crypto'
import { blake2s } from '@noble/hashes/blake2.js'

/** What WireGuard's handshake is made of (whitepaper, section 5.4). */

const CIPHER = 'chacha20-poly1305'
const TAG_BYTES = 16

export const raw = (base64: string) => Buffer.from(base64, 'base64')
export const hash = (...parts: readonly (string | Buffer)[]): Buffer => {
  const all = createHash('blake2s256')
  for (const part of parts) all.update(part)
  return all.digest()
}
export const mac = (key: Buffer, text: Buffer): Buffer => Buffer.from(blake2s(text, { key, dkLen: 16 }))
const hmac = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('blake2s256', key).update(Buffer.concat(parts)).digest()

/** Keys derived from a chaining key and an input: as many as are asked for. */
export const derive = (key: Buffer, input: Buffer, count: number): Buffer[] => {
  const secret = hmac(key, input)
  const keys: Buffer[] = []
  for (let n = 1; n <= count; n++) keys.push(hmac(secret, keys.at(-1) ?? Buffer.alloc(0), Buffer.from([n])))
  return keys
}
export const deriveOne = (key: Buffer, input: Buffer) => derive(key, input, 1)[0] as Buffer
export const deriveTwo = (key: Buffer, input: Buffer) => derive(key, input, 2) as [Buffer, Buffer]

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
export const privateOf = (key: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, key]), format: 'der', type: 'pkcs8' })
const publicOf = (key: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' })
export const rawPublic = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
export const dh = (own: KeyObject, other: Buffer): Buffer =>
  diffieHellman({ privateKey: own, publicKey: publicOf(other) })
