import type { Security } from '@hedgerow/contract/second-step'
import { presentPasskey } from '#people/passkeys/passkeys.present.ts'
import { listPasskeys } from '#people/passkeys/passkeys.queries.ts'
import { countRecoveryCodes, findApp, findHolder } from '#people/second-step/second-step.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

const atOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** How an account is guarded. Throws 'not-signed-in' for one that is gone. */
export const getSecurity = async ({ db }: With<'db'>, customerId: string): Promise<Security> => {
  const holder = await findHolder(db, customerId)
  if (!holder) throw new Problem('not-signed-in')
  const passkeys = await listPasskeys(db, customerId)
  return {
    secondStepAt: atOf(holder.second_step_at),
    secondStepEndsAt: atOf(holder.second_step_ends_at),
    totpAt: atOf((await findApp(db, customerId))?.confirmed_at),
    passkeys: passkeys.map(presentPasskey),
    recoveryCodes: await countRecoveryCodes(db, customerId),
  }
}
