import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
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

/** The node's keys. Made once and kept before anyone is told of them, so that an enrolment can be repeated. */
export const loadIdentity = async (stateDir: string): Promise<Identity> => {
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  await chmod(stateDir, 0o700)
  const kept = await readIdentity(stateDir)
  if (kept) return kept
  const identity = {
    ...generateKeyPair(),
    secret: randomBytes(32).toString('base64url'),
    isEnrolled: false,
  }
  await saveIdentity(stateDir, identity)
  return identity
}
