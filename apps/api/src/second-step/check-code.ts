import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { KeyCipher } from '#crypto/key-cipher.ts'
import type { Db } from '#database/client.ts'
import type { With } from '#dependencies.ts'
import { isPassword } from '#passwords/passwords.ts'
import { recordEvent } from '#security-events/security-events.ts'

/** Bound to its account; no other secret opens in its place. */
export const ownerOfTotp = (customerId: string) => `totp:${customerId}`

/** Phones are up to so many steps of 30 s off, either way. */
const STEPS_OFF = 1

const SIX_DIGITS = /^\d{6}$/

/** As an authenticator app reckons it (RFC 6238: SHA-1, six digits, 30 s). */
export const totpOf = (secretBase32: string): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secretBase32), algorithm: 'SHA1', digits: 6, period: 30 })

/** The 30-second step that a code is of; undefined for a wrong one. `stepsOff`: how far the clock of the phone may be off. */
export const stepOf = (secretBase32: string, code: string, nowMs: number, stepsOff = STEPS_OFF) => {
  const totp = totpOf(secretBase32)
  const delta = totp.validate({ token: code, timestamp: nowMs, window: stepsOff })
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta
}

export type CodeCheck = 'right' | 'wrong' | 'used'

const checkTotp = async (
  { db, keyCipher }: { db: Db; keyCipher: KeyCipher },
  customerId: string,
  code: string,
): Promise<CodeCheck> => {
  const row = await db
    .selectFrom('totp_secrets')
    .select(['secret_encrypted', sql<number>`extract(epoch from now())::float8`.as('now')])
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row?.secret_encrypted) return 'wrong'
  const secret = keyCipher.decryptText(row.secret_encrypted, ownerOfTotp(customerId))
  const step = stepOf(secret, code, row.now * 1000)
  if (step === undefined) return 'wrong'
  const taken = await db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('customer_id', '=', customerId)
    .where('last_step', '<', String(step))
    .returning('customer_id')
    .executeTakeFirst()
  return taken ? 'right' : 'used'
}

/** Without the hyphen that makes it readable, in capitals. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

const checkRecoveryCode = async (db: Db, customerId: string, code: string): Promise<CodeCheck> => {
  const rows = await db
    .selectFrom('recovery_codes')
    .select(['id', 'code_hash'])
    .where('customer_id', '=', customerId)
    .execute()
  for (const { id, code_hash } of rows) {
    if (!(await isPassword(code, code_hash))) continue
    const used = await db
      .updateTable('recovery_codes')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return used ? 'right' : 'used'
  }
  return 'wrong'
}

/** A code of the authenticator app, or a recovery code: taken once. Counting tries is the caller's. */
export const checkCode = async (
  deps: With<'db' | 'keyCipher' | 'log' | 'meters'>,
  customerId: string,
  typed: string,
): Promise<CodeCheck> => {
  const code = plainCode(typed)
  if (SIX_DIGITS.test(code)) return checkTotp(deps, customerId, code)
  const checked = await checkRecoveryCode(deps.db, customerId, code)
  if (checked === 'right') await recordEvent(deps, customerId, 'recovery-code-used')
  return checked
}
