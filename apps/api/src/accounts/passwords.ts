import { hash, verify } from '@node-rs/argon2'

// OWASP's floor for argon2id, which is also this library's default variant.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Keyboards write one accented letter in two ways; both are the same password. */
const composed = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> => hash(composed(password), COST)

let decoy: Promise<string> | undefined

/** Whether the password is the one that was hashed. Without a hash it takes as long, and says no. */
export const isPassword = async (password: string, passwordHash: string | undefined): Promise<boolean> => {
  decoy ??= hashPassword('nobody has this password')
  const matches = await verify(passwordHash ?? (await decoy), composed(password))
  return matches && passwordHash !== undefined
}

const COMMON_COUNT = 10_000
let common: Promise<ReadonlySet<string>> | undefined

const loadCommon = async () => {
  // Loaded with the first password that is chosen: the list is a few hundred kilobytes.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set((dictionary['passwords-common'] as string[]).slice(0, COMMON_COUNT))
}

/** Whether the password is among those that everyone tries first. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= loadCommon()
  return (await common).has(password.toLowerCase())
}
