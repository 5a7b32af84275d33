import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const ID_BYTES = 3
const IV_BYTES = 12
const TAG_BYTES = 16

export type KeyCipher = {
  /** The key that seals, by its id. */
  sealingId: string
  /** All that open, the sealing one first. */
  ids: readonly string[]
  /** Of a key, which is in Base64. */
  encrypt: (secret: string, owner: string) => Buffer
  /** Throws when none of the keys sealed it, or the secret belongs to another owner. */
  decrypt: (sealed: Buffer, owner: string) => string
  /** The same for any text. */
  encryptText: (text: string, owner: string) => Buffer
  decryptText: (sealed: Buffer, owner: string) => string
  /** The id of the key that opens it; undefined where none does. */
  openedBy: (sealed: Buffer, owner: string) => string | undefined
  /** The same secret, sealed by the key that seals now. Throws as `decrypt` does. */
  reseal: (sealed: Buffer, owner: string) => Buffer
}

/** By which people and rows call a key: six hexadecimal digits that tell nothing of it. */
export const keyIdOf = (key: Buffer): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'hedgerow key id', ID_BYTES)).toString('hex')

/** Which key a value says it was sealed by. One that was sealed before there were ids says anything. */
export const idIn = (sealed: Buffer): string => sealed.subarray(0, ID_BYTES).toString('hex')

const oneKey = (bytes: Buffer) => {
  const key = createSecretKey(bytes)
  const id = keyIdOf(bytes)
  const seal = (secret: Buffer, owner: string): Buffer => {
    const iv = Buffer.concat([Buffer.from(id, 'hex'), randomBytes(IV_BYTES - ID_BYTES)])
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
  return { id, seal, open }
}

/**
 * Secrets at rest: AES-256-GCM, a nonce of its own each, bound to the record that owns it, so that a sealed secret copied to
 * another row does not open. Layout: nonce (12), tag (16), the bytes of the key or the text. The nonce begins with the
 * key's id, the rest is random: releases that know of no ids read it all the same. `accepted` open and never seal.
 */
export const createKeyCipher = (sealing: Buffer, accepted: readonly Buffer[] = []): KeyCipher => {
  const first = oneKey(sealing)
  const keys = [first, ...accepted.map(oneKey)]
  const opened = (sealed: Buffer, owner: string): { id: string; secret: Buffer } => {
    const said = idIn(sealed)
    const likely = keys.find(({ id }) => id === said)
    let fault: unknown
    // What was sealed before there were ids may be of any.
    for (const key of new Set([...(likely ? [likely] : []), ...keys]))
      try {
        return { id: key.id, secret: key.open(sealed, owner) }
      } catch (error) {
        fault ??= error
      }
    throw fault
  }
  return {
    sealingId: first.id,
    ids: keys.map(({ id }) => id),
    encrypt: (secret, owner) => first.seal(Buffer.from(secret, 'base64'), owner),
    decrypt: (sealed, owner) => opened(sealed, owner).secret.toString('base64'),
    encryptText: (text, owner) => first.seal(Buffer.from(text), owner),
    decryptText: (sealed, owner) => opened(sealed, owner).secret.toString(),
    openedBy: (sealed, owner) => {
      try {
        return opened(sealed, owner).id
      } catch {
        return undefined
      }
    },
    reseal: (sealed, owner) => first.seal(opened(sealed, owner).secret, owner),
  }
}
