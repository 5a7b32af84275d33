import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as z from 'zod/mini'

/** 64 bytes in Base64. */
export const Signature = z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/))

/** An ed25519 key as openssl writes it in DER (SPKI), in Base64. Undefined if it is anything else. */
export const readReleaseKey = (text: string): KeyObject | undefined => {
  if (!/^[A-Za-z0-9+/]{59}=$/.test(text)) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** Whether exactly these bytes were signed with the key. */
export const isSigned = (bytes: Buffer, signature: string, key: KeyObject): boolean =>
  z.safeParse(Signature, signature).success && verify(null, bytes, key, Buffer.from(signature, 'base64'))
