import { randomUUID } from 'node:crypto'
import { withoutGroups } from '@hedgerow/domain/pasted'
import { RECOVERY_CODES } from '@hedgerow/domain/second-step'
import { hashPassword } from '#people/passwords/passwords.ts'
import { replaceRecoveryCodes } from '#people/second-step/second-step.queries.ts'
import { newReadableCode } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'

const GROUP = 4
/** 59 bits, of which a guesser gets a few tries an hour. */
const LENGTH = 12

/** In groups, as people read them out: 'F7KM-2QXR-9TWB'. */
const grouped = (code: string): string => code.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? code

/** As it is hashed: a phone's keyboard puts in its own hyphens, spaces and digits. */
export const plainCode = (typed: string): string => withoutGroups(typed).toUpperCase()

/** Whether it can be one at all: hashing it ten times takes a while. */
export const isRecoveryCode = (plain: string): boolean => plain.length === LENGTH && /^[A-Z\d]+$/.test(plain)

export type MadeCodes = { codes: string[]; save: (trx: Trx, customerId: string) => Promise<void> }

/** Ten new ones, to be shown once. Hashing takes a while: to be made before the transaction that saves them. */
export const makeRecoveryCodes = async (): Promise<MadeCodes> => {
  const plain = Array.from({ length: RECOVERY_CODES }, () => newReadableCode(LENGTH))
  const hashes = await Promise.all(plain.map(hashPassword))
  return {
    codes: plain.map(grouped),
    save: (trx, customerId) =>
      replaceRecoveryCodes(
        trx,
        customerId,
        hashes.map((code_hash) => ({ id: randomUUID(), customer_id: customerId, code_hash })),
      ),
  }
}
