import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { privateOf, raw, rawPublic } from './noise.ts'

/** Keys as WireGuard writes them: 32 bytes in Base64. */
export type KeyPair = { privateKey: string; publicKey: string }

const KEY_BYTES = 32

/** Both encodings end with the key itself (RFC 8410); taking it from there costs half of an export as JWK. */
const rawKey = (der: Buffer): string => der.subarray(-KEY_BYTES).toString('base64')

/** A Curve25519 key pair. */
export const generateKeyPair = (): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privateKey: rawKey(privateKey), publicKey: rawKey(publicKey) }
}

/** Of any 32 bytes in Base64: WireGuard makes a private key of them. */
export const publicKeyOf = (privateKey: string): string =>
  rawPublic(privateOf(raw(privateKey))).toString('base64')

export const generatePresharedKey = (): string => randomBytes(32).toString('base64')
