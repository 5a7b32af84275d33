import type { Check } from '#care/doctor/check.ts'
import { cipherOf, tryKeys } from '#care/keys/shops-keys.ts'
import { LAST_LOOKED_AT, verifyRecord } from '#people/operators/operator-record.ts'
import { createKeyedHash, type KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { With } from '#platform/dependencies.ts'
import { ok, problem } from '#platform/doctor/finding.ts'

/** What the record is sealed with; undefined without the shop's key. */
export const recordKey = async (deps: With<'db' | 'keyCipher'>): Promise<KeyedHash | undefined> => {
  const tried = await tryKeys(deps)
  return tried.kind === 'opens' && tried.hashKey ? createKeyedHash(tried.hashKey) : undefined
}

export const recordChecks: readonly Check[] = [
  {
    name: 'record',
    look: async ({ settings, db }) => {
      const keyedHash = await recordKey({ db, keyCipher: cipherOf(settings) })
      const { entries, newest, faults } = await verifyRecord({ db, keyedHash }, { last: LAST_LOOKED_AT })
      const [fault] = faults
      if (!fault)
        return ok(`of ${newest} entries on what operators did, the last ${entries} are as they were written`)
      return problem(
        `what operators did was changed: ${fault.seq > 0 ? `entry ${fault.seq}: ` : ''}${fault.says}`,
        'Find out who can change the database. ops audit verify says all, and compares with an earlier ops audit export.',
      )
    },
  },
]
