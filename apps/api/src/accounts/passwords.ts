import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { isMadeOf, isMonotonous, knownForms } from '@hedgerow/domain/passwords'
import { hash, verify } from '@node-rs/argon2'
import { isKnownPassword } from '#accounts/known-passwords.ts'
import { invalidField } from '#http/problems.ts'

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

/** Throws 'invalid' with the path of the field for a password that a guesser would try early. */
export const refuseGuessable = async (
  password: string,
  path: string,
  texts: readonly string[],
): Promise<void> => {
  if (isMadeOf(password, texts)) throw invalidField(path, OUR_MESSAGES.passwordPersonal)
  const forms = knownForms(composed(password))
  if (isMonotonous(password) || (await Promise.all(forms.map(isKnownPassword))).includes(true))
    throw invalidField(path, OUR_MESSAGES.passwordCommon)
}
