import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { generateKeyPair, publicKeyOf } from '@hedgerow/wireguard/keys'
import * as z from 'zod/mini'
import { SettingsError } from '#settings.ts'

const Identity = z.object({
  privateKey: z.string().check(z.length(44)),
  publicKey: z.string().check(z.length(44)),
  /** What the agent proves itself with to the shop. */
  secret: z.string().check(z.length(43)),
  isEnrolled: z.boolean(),
})
export type Identity = z.infer<typeof Identity>

const fileIn = (stateDir: string) => join(stateDir, 'identity.json')

export const saveIdentity = (stateDir: string, identity: Identity): Promise<void> =>
  writeAtomically(fileIn(stateDir), (handle) => handle.writeFile(`${JSON.stringify(identity)}\n`))

const readIdentity = async (stateDir: string): Promise<Identity | undefined> => {
  const text = await readFile(fileIn(stateDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return Identity.parse(JSON.parse(text))
  } catch {
    // Its content stays out of the message: it holds the key.
    throw new SettingsError(`${fileIn(stateDir)} is damaged: restore it, or remove it and enrol again`)
  }
}

const withKeys = (keys: { privateKey: string; publicKey: string }): Identity => ({
  ...keys,
  secret: randomBytes(32).toString('base64url'),
  isEnrolled: false,
})

const makeFolder = async (stateDir: string): Promise<void> => {
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  await chmod(stateDir, 0o700)
}

/** The key of another server, in place of one of its own, until the node has enrolled. The same again changes nothing. */
export const takeKey = async (stateDir: string, privateKey: string): Promise<void> => {
  await makeFolder(stateDir)
  const kept = await readIdentity(stateDir)
  if (kept?.privateKey === privateKey) return
  if (kept?.isEnrolled)
    throw new SettingsError('This node has enrolled with another key: nothing was changed')
  await saveIdentity(stateDir, withKeys({ privateKey, publicKey: publicKeyOf(privateKey) }))
}

/** The node's keys. Made once and kept before anyone is told of them, so that an enrolment can be repeated. */
export const loadIdentity = async (stateDir: string): Promise<Identity> => {
  await makeFolder(stateDir)
  const kept = await readIdentity(stateDir)
  if (kept) return kept
  const identity = withKeys(generateKeyPair())
  await saveIdentity(stateDir, identity)
  return identity
}
