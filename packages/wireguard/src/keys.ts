import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** Keys as WireGuard writes them: 32 bytes in Base64. */
export type KeyPair = { privateKey: string; publicKey: string }

const base64 = (part: string) => Buffer.from(part, 'base64url').toString('base64')

/** A Curve25519 key pair. */
export const generateKeyPair = (): KeyPair => {
  const { privateKey } = generateKeyPairSync('x25519')
  const { d, x } = privateKey.export({ format: 'jwk' })
  if (!d || !x) throw new Error('The platform gave an X25519 key without its parts')
  return { privateKey: base64(d), publicKey: base64(x) }
}

export const generatePresharedKey = (): string => randomBytes(32).toString('base64')
