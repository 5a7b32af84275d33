import type { KeyPair } from './keys.ts'

const KEY_BYTES = 32

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

type Pair = Record<'privateKey' | 'publicKey', Parameters<typeof crypto.subtle.exportKey>[1]>

const isPair = (made: object): made is Pair => 'privateKey' in made

/** Undefined in browsers that do not know the curve, and on pages that came without TLS. */
const byBrowser = async (): Promise<KeyPair | undefined> => {
  try {
    const pair = await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits'])
    if (!isPair(pair)) return undefined
    const [pkcs8, publicKey] = await Promise.all([
      crypto.subtle.exportKey('pkcs8', pair.privateKey),
      crypto.subtle.exportKey('raw', pair.publicKey),
    ])
    // The encoding ends with the key itself (RFC 8410).
    return {
      privateKey: toBase64(new Uint8Array(pkcs8).slice(-KEY_BYTES)),
      publicKey: toBase64(new Uint8Array(publicKey)),
    }
  } catch {
    return undefined
  }
}

/** Loaded by the few that need it. */
const byLibrary = async (): Promise<KeyPair> => {
  const { x25519 } = await import('@noble/curves/ed25519.js')
  const { secretKey, publicKey } = x25519.keygen()
  return { privateKey: toBase64(secretKey), publicKey: toBase64(publicKey) }
}

/** Keys made in a browser. The private one is in what is returned, and nowhere else. */
export const makeKeyPair = async (): Promise<KeyPair> => (await byBrowser()) ?? byLibrary()
