import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type KeyCipher = {
  /** Of a key, which is in Base64. */
  encrypt: (secret: string, owner: string) => Buffer
  /** Throws when the key encryption key is another one, or the secret belongs to another owner. */
  decrypt: (sealed: Buffer, owner: string) => string
  /** The same for any text. */
  encryptText: (text: string, owner: string) => Buffer
  decryptText: (sealed: Buffer, owner: string) => string
}

/**
 * Secrets at rest: AES-256-GCM, a random nonce each, bound to the record that owns it, so that a sealed secret copied to
 * another row does not open. Layout: nonce (12), tag (16), the bytes of the key or the text.
 */
export const createKeyCipher = (keyEncryptionKey: Buffer): KeyCipher => {
  const key = createSecretKey(keyEncryptionKey)
  const seal = (secret: Buffer, owner: string): Buffer => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed])
  }
  const open = (sealed: Buffer, owner: string): Buffer => {
    const iv = sealed.subarray(0, IV_BYTES)
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  }
  return {
    encrypt: (secret, owner) => seal(Buffer.from(secret, 'base64'), owner),
    decrypt: (sealed, owner) => open(sealed, owner).toString('base64'),
    encryptText: (text, owner) => seal(Buffer.from(text), owner),
    decryptText: (sealed, owner) => open(sealed, owner).toString(),
  }
}
