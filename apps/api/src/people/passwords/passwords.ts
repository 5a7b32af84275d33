import { composed } from '@hedgerow/domain/composed'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { isMadeOf, isMonotonous, knownForms } from '@hedgerow/domain/passwords'
import { hash, verify } from '@node-rs/argon2'
import { isKnownPassword } from '#people/passwords/known-passwords.ts'
import { isLocked } from '#people/passwords/locked-passwords.ts'
import { createConcurrencyLimit } from '#platform/http/limits/concurrency-limit.ts'
import { invalidField } from '#platform/http/problems.ts'
import type { Settings } from '#platform/settings.ts'

// OWASP's floor for argon2id, which is also this library's default variant.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Keyboards write one letter in several ways, in pieces or in full width; all are the same password. */
const plain = (password: string) => composed(password, 'NFKC')

/** As a password is looked for: as it is hashed, and as it was before full width was made plain. */
const formsOf = (password: string) => [...new Set([plain(password), composed(password)])]

/**
 * Node.js has four threads for files, names and hashes alike, and a hash is a fiftieth of a second's work. Two at once, so
 * that log-ins of strangers never hold all of them; a call that would wait longer than about a second is refused for now.
 */
const inTurn = createConcurrencyLimit({ atOnce: 2, waiting: 100 })

/** Throws 'unavailable' when too many wait already. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(plain(password), COST))

let decoy: string | undefined

/** Whether the password is the one that was hashed. Without a hash, or with a locked one, it takes as long, and says no. Throws 'unavailable'. */
export const isPassword = async (password: string, passwordHash: string | undefined): Promise<boolean> => {
  decoy ??= await hashPassword('nobody has this password')
  const isOne = passwordHash !== undefined && !isLocked(passwordHash)
  const against = isOne ? passwordHash : decoy
  for (const form of formsOf(password)) if ((await inTurn(() => verify(against, form))) && isOne) return true
  return false
}

type ShopSettings = Pick<Settings, 'brand' | 'publicUrl'>

/** What the shop is called, of which no password may be made; `PASSWORD_WORDS` has what it is about. */
export const namesOfShop = ({ brand, publicUrl }: ShopSettings): string[] => [
  brand.name,
  brand.tagline,
  brand.company.legalName,
  new URL(publicUrl).hostname,
]

/** Throws 'invalid' with the path of the field for a password that a guesser would try early. */
export const refuseGuessable = async (
  password: string,
  path: string,
  texts: readonly string[],
): Promise<void> => {
  if (isMadeOf(password, texts)) throw invalidField(path, OUR_MESSAGES.passwordPersonal)
  const forms = knownForms(plain(password))
  if (isMonotonous(password) || (await Promise.all(forms.map(isKnownPassword))).includes(true))
    throw invalidField(path, OUR_MESSAGES.passwordCommon)
}
