/** Backups that leave the machine are files of age (age-encryption.org/v1), which its own programs open, too. */
import { hkdfSync, type webcrypto } from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'
import { BackupFault } from '#care/backup/backup-fault.ts'
import type { GivenKeys } from '#care/keys/shops-keys.ts'

/** How each begins. */
export const AGE = Buffer.from('age-encryption.org/v1\n')

const KEY_BYTES = 32
/** An X25519 key in PKCS #8, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** A key of its own, derived from the one without which a backup is of no use anyway: there is no other to be lost. */
const identityOf = (keyEncryptionKey: Buffer): Promise<webcrypto.CryptoKey> => {
  const raw = Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'hedgerow backups, sealed', KEY_BYTES))
  return crypto.subtle.importKey('pkcs8', Buffer.concat([PKCS8, raw]), 'X25519', false, ['deriveBits'])
}

/** Its ciphers are JavaScript, in the process that sells: whoever waits for an answer goes first. */
async function* givingWay(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    yield piece
    await others()
  }
}

export async function* sealed(
  source: AsyncIterable<Uint8Array>,
  { keyEncryptionKey }: Pick<GivenKeys, 'keyEncryptionKey'>,
): AsyncGenerator<Uint8Array> {
  const { Encrypter, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(await identityOf(keyEncryptionKey)))
  yield* await encrypter.encrypt(ReadableStream.from(givingWay(source)))
}

export async function* unsealed(
  source: AsyncIterable<Uint8Array>,
  { keyEncryptionKey, acceptedKeys }: GivenKeys,
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const key of [keyEncryptionKey, ...acceptedKeys]) decrypter.addIdentity(await identityOf(key))
  // An error of the source is its own, and no word about the file.
  let ownFault: unknown
  async function* watched() {
    try {
      yield* source
    } catch (error) {
      ownFault = error
      throw error
    }
  }
  try {
    yield* await decrypter.decrypt(ReadableStream.from(givingWay(watched())))
  } catch (error) {
    if (ownFault) throw ownFault
    if (/no identity matched/.test((error as Error).message))
      throw new BackupFault(
        'It was encrypted under another KEY_ENCRYPTION_KEY: set the one that the shop had when it was taken.',
      )
    throw new BackupFault('It is damaged or cut off: it cannot be decrypted to its end.')
  }
}
