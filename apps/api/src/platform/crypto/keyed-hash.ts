import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

type Kind =
  | 'card'
  | 'network'
  | 'velocity'
  | 'rate count'
  | 'mails of a network'
  | 'known browser'
  | 'operator known browser'
  | 'sign-up'
  | 'account link'
  | 'email change'
  | 'way back'
  | 'question link'
  | 'shop peer'
  | 'operator record'
  | 'known fault of the operator record'
  | 'id of nobody'

/** Tells whether two texts of a kind are the same, and nothing else of them without the key: 32 bytes. */
export type KeyedHash = (kind: Kind, text: string) => Buffer

/**
 * What hashes are keyed with, derived from a key encryption key (HKDF). It stays what it was when that key is replaced: see
 * keys/shops-keys.ts.
 */
export const hashKeyOf = (keyEncryptionKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'hedgerow keyed hashes', KEY_BYTES))

/**
 * HMAC-SHA256 under a key of its own. A plain hash would not do: card numbers and addresses are so few that all can be tried.
 */
export const createKeyedHash = (hashKey: Buffer): KeyedHash => {
  const key = createSecretKey(hashKey)
  return (kind, text) => createHmac('sha256', key).update(`${kind}:${text}`).digest()
}
