import type { Check } from '#care/doctor/check.ts'
import { readKeyStatus } from '#care/keys/count-sealed.ts'
import { cipherOf, tryKeys } from '#care/keys/shops-keys.ts'
import { ok, problem, warning } from '#platform/doctor/finding.ts'

export const keyChecks: readonly Check[] = [
  {
    name: 'key',
    look: async ({ settings, db }) => {
      const keyCipher = cipherOf(settings)
      if ((await tryKeys({ db, keyCipher })).kind === 'does-not-open')
        return problem(
          'KEY_ENCRYPTION_KEY does not open what this shop has sealed',
          'Set the key that the shop runs with; ops key status says which.',
        )
      const { keys, unopened } = await readKeyStatus({ db, keyCipher })
      const rows = new Set(unopened.map(({ kind, id }) => `${kind} ${id}`)).size
      const others = keys.slice(1)
      const left = others.reduce((sum, { values }) => sum + values, 0)
      return [
        ok(`key ${keyCipher.sealingId} seals, and ${keys[0]?.values ?? 0} values were opened with it`),
        ...(rows > 0 ? [warning(`${rows} sealed rows cannot be opened`, 'ops key status lists them.')] : []),
        ...(left > 0
          ? [warning(`${left} values are sealed by a former key`, 'Seal them by the new one: ops key rotate')]
          : []),
        ...(others.length > 0 && left === 0
          ? [
              warning(
                'a former key opens nothing any more, and is still set',
                'Take it out of KEY_ENCRYPTION_KEYS_ACCEPTED, unless you are about to rotate.',
              ),
            ]
          : []),
      ]
    },
  },
]
