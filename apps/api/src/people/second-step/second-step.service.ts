import type { RecoveryCodes } from '@hedgerow/contract/second-step'
import { listPasskeys } from '#people/passkeys/passkeys.queries.ts'
import { type MadeCodes, makeRecoveryCodes } from '#people/second-step/recovery-codes.ts'
import {
  deleteApp,
  deleteRecoveryCodes,
  findHolder,
  hasApp,
  lockHolder,
  setSecondStepOff,
  setSecondStepOn,
} from '#people/second-step/second-step.queries.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { deleteSessions } from '#people/sessions/sessions.queries.ts'
import { forgetSessions } from '#people/sessions/sessions.service.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

export { deletePasskeys, listPasskeys } from '#people/passkeys/passkeys.queries.ts'
export {
  countRecoveryCodes,
  deletePendingApps,
  forgetWaits,
  lockHolder,
} from '#people/second-step/second-step.queries.ts'

export type Deps = With<'db' | 'log' | 'meters'>

/**
 * With the first thing that can answer, or switched on; the codes are for when that is lost. Other sessions were begun by less,
 * and end. Returns their tokens' hashes.
 */
export const turnOn = async (
  deps: Deps & { db: Trx },
  { customerId, sessionToken }: Caller,
  made: MadeCodes,
): Promise<Buffer[]> => {
  await setSecondStepOn(deps.db, customerId)
  await made.save(deps.db, customerId)
  const ended = await deleteSessions(deps.db, customerId, hashToken(sessionToken))
  await recordEvent(deps, customerId, 'second-step-on')
  return ended
}

/** Nothing of it stays; passkeys do, which open the account by themselves. */
export const endSecondStep = async (trx: Trx, customerId: string): Promise<void> => {
  await deleteApp(trx, customerId)
  await deleteRecoveryCodes(trx, customerId)
  await setSecondStepOff(trx, customerId)
}

/** Whether anything is left that answers a second step; with a time, an app only counts if it was there by then. */
export const canAnswer = async (trx: Trx, customerId: string, by?: Date): Promise<boolean> =>
  (await hasApp(trx, customerId, by)) || (await listPasskeys(trx, customerId)).length > 0

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

const switchOn = async (deps: Deps & With<'sessions'>, caller: Caller): Promise<RecoveryCodes> => {
  const { customerId } = caller
  if ((await findHolder(deps.db, customerId))?.second_step_at) return { recoveryCodes: null }
  const made = await makeRecoveryCodes()
  const { ended, ...reply } = await deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!holder || !(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (holder.second_step_at) return { recoveryCodes: null, ended: [] }
    if (!(await canAnswer(trx, customerId))) throw new Problem('nothing-to-answer')
    const ended = await turnOn({ ...deps, db: trx }, caller, made)
    return { recoveryCodes: made.codes, ended }
  })
  forgetSessions(deps, ended)
  return reply
}

const switchOff = (deps: Deps, caller: Caller): Promise<RecoveryCodes> =>
  deps.db.transaction().execute(async (trx) => {
    const { customerId } = caller
    const holder = await lockHolder(trx, customerId)
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (holder?.second_step_at) {
      await endSecondStep(trx, customerId)
      await recordEvent({ ...deps, db: trx }, customerId, 'second-step-off')
    }
    return { recoveryCodes: null }
  })

/** Throws 'ask-again', and 'nothing-to-answer' where there is neither an app nor a passkey. */
export const switchSecondStep = async (
  deps: Deps & With<'sessions'>,
  caller: Caller,
  isOn: boolean,
): Promise<RecoveryCodes> => {
  await requireProof(deps, caller)
  return (isOn ? switchOn : switchOff)(deps, caller)
}

/** The old ones end. Throws 'ask-again', and 'no-second-step'. */
export const newRecoveryCodes = async (deps: Deps, caller: Caller): Promise<RecoveryCodes> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  if (!(await findHolder(deps.db, customerId))?.second_step_at) throw new Problem('no-second-step')
  const made = await makeRecoveryCodes()
  return deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (!holder?.second_step_at) throw new Problem('no-second-step')
    await made.save(trx, customerId)
    await recordEvent({ ...deps, db: trx }, customerId, 'recovery-codes-made')
    return { recoveryCodes: made.codes }
  })
}
