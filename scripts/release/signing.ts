/** Releases are signed with Ed25519: `FILE.sig` is the signature over FILE's bytes, in Base64, on one line. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { ReleaseFault } from './source.ts'

/** As agents are given it: SubjectPublicKeyInfo (DER), in Base64. */
const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

/** Makes a key for signing, which only its owner can read. Never in the place of one that is there. */
export const makeSigningKey = async (file: string): Promise<string> => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  try {
    await writeFile(file, pem, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ReleaseFault(code === 'EEXIST' ? `${file} is there already; it is left as it is.` : message)
  }
  return publicKeyText(privateKey)
}

const parseKey = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

export const readSigningKey = async (file: string): Promise<KeyObject> => {
  const pem = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ReleaseFault(`The key cannot be read: ${error.message}`)
  })
  const key = parseKey(pem)
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new ReleaseFault(`${file} holds no Ed25519 key; make one with --new-key FILE.`)
  return key
}

export const signFile = async (file: string, key: KeyObject): Promise<void> => {
  const signature = sign(null, await readFile(file), key)
  await writeFile(`${file}.sig`, `${signature.toString('base64')}\n`)
}
