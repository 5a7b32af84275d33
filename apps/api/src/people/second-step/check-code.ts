import { isPassword } from '#people/passwords/passwords.ts'
import { isRecoveryCode, plainCode } from '#people/second-step/recovery-codes.ts'
import {
  findApp,
  listRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from '#people/second-step/second-step.queries.ts'
import { stepOf } from '#people/second-step/totp.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** Bound to its account; no other secret opens in its place. */
export const ownerOfTotp = (customerId: string) => `totp:${customerId}`

/** The secret of an app; undefined where it does not open. */
export const readTotp = (cipher: KeyCipher, sealed: Buffer, customerId: string): string | undefined => {
  try {
    return cipher.decryptText(sealed, ownerOfTotp(customerId))
  } catch {
    return undefined
  }
}

const SIX_DIGITS = /^\d{6}$/

/** What a code is one of: of the app that was confirmed then, of this step; or this recovery code. */
export type KnownCode = { confirmedAt: string; step: number } | { recoveryCodeId: string }

const isOfApp = (typed: string): boolean => SIX_DIGITS.test(plainCode(typed))

const findStep = async (
  { db, keyCipher }: With<'db' | 'keyCipher'>,
  customerId: string,
  code: string,
): Promise<KnownCode | 'unreadable' | undefined> => {
  const app = await findApp(db, customerId)
  if (!app?.secret_encrypted || !app.confirmed_exactly) return undefined
  const secret = readTotp(keyCipher, app.secret_encrypted, customerId)
  if (secret === undefined) return 'unreadable'
  const step = stepOf(secret, code, app.now_ms)
  return step === undefined ? undefined : { confirmedAt: app.confirmed_exactly, step }
}

const findRecoveryCode = async (db: Db, customerId: string, code: string): Promise<KnownCode | undefined> => {
  if (!isRecoveryCode(code)) return undefined
  for (const { id, code_hash } of await listRecoveryCodes(db, customerId))
    if (await isPassword(code, code_hash)) return { recoveryCodeId: id }
  return undefined
}

/**
 * What was typed, as a code of the account, used or not; undefined for a wrong one, 'unreadable' where it is not known any
 * more what the app's codes are. Takes nothing: hashing takes a while, and
 * what follows stands in a transaction. Counting tries is the caller's.
 */
export const findCode = (
  deps: With<'db' | 'keyCipher'>,
  customerId: string,
  typed: string,
): Promise<KnownCode | 'unreadable' | undefined> => {
  const code = plainCode(typed)
  return isOfApp(code) ? findStep(deps, customerId, code) : findRecoveryCode(deps.db, customerId, code)
}

/** False for a code that was used before; of two who use it at once, one gets true. */
export const takeCode = async (
  deps: With<'db' | 'log' | 'meters'>,
  customerId: string,
  code: KnownCode,
): Promise<boolean> => {
  if ('step' in code) return takeStep(deps.db, customerId, code.confirmedAt, code.step)
  if (!(await takeRecoveryCode(deps.db, code.recoveryCodeId))) return false
  await recordEvent(deps, customerId, 'recovery-code-used')
  return true
}

export type CodeCheck = 'right' | 'wrong' | 'used' | 'unreadable'

/** A code of the authenticator app, or a recovery code: taken once. Counting tries is the caller's. */
export const checkCode = async (
  deps: With<'db' | 'keyCipher' | 'log' | 'meters'>,
  customerId: string,
  typed: string,
): Promise<CodeCheck> => {
  const code = await findCode(deps, customerId, typed)
  if (!code) return 'wrong'
  if (code === 'unreadable') return code
  return (await takeCode(deps, customerId, code)) ? 'right' : 'used'
}
