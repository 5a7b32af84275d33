import { hkdfSync } from 'node:crypto'

const BYTES = 32

/** Returns a key for one purpose, made of the key encryption key: who learns it learns neither that nor another. */
export const deriveKey = (keyEncryptionKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', `hedgerow ${purpose}`, BYTES))
