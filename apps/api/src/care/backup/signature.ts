import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { BackupFault } from '#care/backup/backup-fault.ts'
import type { BackupSignature, BackupTrailer } from '#care/backup/backup-format.ts'
import type { GivenKeys } from '#care/keys/shops-keys.ts'
import { keyIdOf } from '#platform/crypto/key-cipher.ts'

const KEY_BYTES = 32

/** HMAC-SHA-256 under a key of its own, derived from one that no backup holds: who can write the file cannot sign it. */
const hmacOf = (keyEncryptionKey: Buffer, sha256: string): Buffer => {
  const key = Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'hedgerow backups', KEY_BYTES))
  return createHmac('sha256', key).update(sha256).digest()
}

export const sign = (keyEncryptionKey: Buffer, sha256: string): BackupSignature => ({
  key: keyIdOf(keyEncryptionKey),
  hmac: hmacOf(keyEncryptionKey, sha256).toString('hex'),
})

/** Throws a BackupFault unless one of the keys has signed it. The trailer's SHA-256 is that of what was read. */
export const requireSignature = (
  { signature, sha256 }: BackupTrailer,
  { keyEncryptionKey, acceptedKeys }: GivenKeys,
): void => {
  if (!signature)
    throw new BackupFault(
      'It has no signature: a version that signed no backups wrote it, or somebody took the signature away. If you know that nobody else could write to it since it was taken, add --unverified.',
    )
  const keys = [keyEncryptionKey, ...acceptedKeys]
  const key = keys.find((one) => keyIdOf(one) === signature.key)
  if (!key)
    throw new BackupFault(
      `It was signed by the key ${signature.key}, and this shop was given ${keys.map(keyIdOf).join(' and ')}: it comes from another shop, or from before the key was changed. Set the key of then in KEY_ENCRYPTION_KEY. If you know who wrote it, add --unverified.`,
    )
  if (!timingSafeEqual(hmacOf(key, sha256), Buffer.from(signature.hmac, 'hex')))
    throw new BackupFault(
      'Its signature is wrong: somebody without the shop’s key changed it after it was taken. Restore another one.',
    )
}
