import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

type Kind =
  | 'card'
  | 'network'
  | 'velocity'
  | 'rate count'
  | 'known browser'
  | 'account link'
  | 'email change'
  | 'question link'
  | 'id of nobody'

/** Tells whether two texts of a kind are the same, and nothing else of them to whoever lacks the key: 32 bytes. */
export type KeyedHash = (kind: Kind, text: string) => Buffer

/**
 * HMAC-SHA256 under a key of its own, derived from the key encryption key (HKDF). A plain hash would not do: card numbers
 * and addresses are so few that all can be tried.
 */
export const createKeyedHash = (keyEncryptionKey: Buffer): KeyedHash => {
  const derived = hkdfSync('sha256', keyEncryptionKey, '', 'hedgerow keyed hashes', KEY_BYTES)
  const key = createSecretKey(Buffer.from(derived))
  return (kind, text) => createHmac('sha256', key).update(`${kind}:${text}`).digest()
}
