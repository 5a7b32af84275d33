import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type KeyCipher = {
  encrypt: (secret: string, owner: string) => Buffer
  /** Throws when the key encryption key is another one, or the secret belongs to another owner. */
  decrypt: (sealed: Buffer, owner: string) => string
}

/**
 * Private keys at rest: AES-256-GCM, a random nonce each, bound to the connection that owns it, so that a sealed key
 * copied to another row does not open. Layout: nonce (12), tag (16), the 32 bytes of the key.
 */
export const createKeyCipher = (keyEncryptionKey: Buffer): KeyCipher => {
  const key = createSecretKey(keyEncryptionKey)
  return {
    encrypt: (secret, owner) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(Buffer.from(secret, 'base64')), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed])
    },
    decrypt: (sealed, owner) => {
      const iv = sealed.subarray(0, IV_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const opened = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(opened).toString('base64')
    },
  }
}
