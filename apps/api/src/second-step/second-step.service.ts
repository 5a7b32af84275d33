import type { RecoveryCodes } from '@hedgerow/contract/second-step'
import type { Trx } from '#database/client.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { listPasskeys } from '#second-step/passkeys.queries.ts'
import { type MadeCodes, makeRecoveryCodes } from '#second-step/recovery-codes.ts'
import {
  deleteApp,
  deleteRecoveryCodes,
  findHolder,
  hasApp,
  lockHolder,
  setSecondStepOff,
  setSecondStepOn,
} from '#second-step/second-step.queries.ts'
import { recordEvent } from '#security-events/security-events.ts'
import { type Caller, requireProof } from '#sessions/recent-proof.ts'

export { listPasskeys } from '#second-step/passkeys.queries.ts'
export {
  countRecoveryCodes,
  deletePendingApps,
  hasApp,
  lockHolder,
} from '#second-step/second-step.queries.ts'

export type Deps = With<'db' | 'log' | 'meters'>

/** With the first thing that can answer, or switched on; the codes are for when that is lost. */
export const turnOn = async (
  deps: Deps & { db: Trx },
  customerId: string,
  made: MadeCodes,
): Promise<void> => {
  await setSecondStepOn(deps.db, customerId)
  await made.save(deps.db, customerId)
  await recordEvent(deps, customerId, 'second-step-on')
}

/** Nothing of it stays; passkeys do, which open the account by themselves. */
export const endSecondStep = async (trx: Trx, customerId: string): Promise<void> => {
  await deleteApp(trx, customerId)
  await deleteRecoveryCodes(trx, customerId)
  await setSecondStepOff(trx, customerId)
}

const canAnswer = async (trx: Trx, customerId: string): Promise<boolean> =>
  (await hasApp(trx, customerId)) || (await listPasskeys(trx, customerId)).length > 0

/**
 * To be called where an app or a passkey was removed: with nothing left that could answer, the second step ends. Returns
 * whether it did, for the caller to note 'second-step-off'.
 */
export const endSecondStepIfBare = async (trx: Trx, customerId: string): Promise<boolean> => {
  // Two who remove one each at once come after one another here, and the second sees that nothing is left.
  const holder = await lockHolder(trx, customerId)
  if (!holder?.second_step_at) return false
  if (await canAnswer(trx, customerId)) return false
  await endSecondStep(trx, customerId)
  return true
}

const switchOn = async (deps: Deps, customerId: string): Promise<RecoveryCodes> => {
  if ((await findHolder(deps.db, customerId))?.second_step_at) return { recoveryCodes: null }
  const made = await makeRecoveryCodes()
  return deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!holder) throw new Problem('not-signed-in')
    if (holder.second_step_at) return { recoveryCodes: null }
    if (!(await canAnswer(trx, customerId))) throw new Problem('nothing-to-answer')
    await turnOn({ ...deps, db: trx }, customerId, made)
    return { recoveryCodes: made.codes }
  })
}

const switchOff = (deps: Deps, customerId: string): Promise<RecoveryCodes> =>
  deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (holder?.second_step_at) {
      await endSecondStep(trx, customerId)
      await recordEvent({ ...deps, db: trx }, customerId, 'second-step-off')
    }
    return { recoveryCodes: null }
  })

/** Throws 'ask-again', and 'nothing-to-answer' where there is neither an app nor a passkey. */
export const switchSecondStep = async (deps: Deps, caller: Caller, isOn: boolean): Promise<RecoveryCodes> => {
  await requireProof(deps, caller)
  return (isOn ? switchOn : switchOff)(deps, caller.customerId)
}

/** The old ones end. Throws 'ask-again', and 'no-second-step'. */
export const newRecoveryCodes = async (deps: Deps, caller: Caller): Promise<RecoveryCodes> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  if (!(await findHolder(deps.db, customerId))?.second_step_at) throw new Problem('no-second-step')
  const made = await makeRecoveryCodes()
  return deps.db.transaction().execute(async (trx) => {
    if (!(await lockHolder(trx, customerId))?.second_step_at) throw new Problem('no-second-step')
    await made.save(trx, customerId)
    await recordEvent({ ...deps, db: trx }, customerId, 'recovery-codes-made')
    return { recoveryCodes: made.codes }
  })
}
