import type { RecoveryCodes } from '@hedgerow/contract/second-step'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { SET_UP_MINUTES } from '@hedgerow/domain/second-step'
import { ownerOfTotp, readTotp } from '#people/second-step/check-code.ts'
import { makeRecoveryCodes, plainCode } from '#people/second-step/recovery-codes.ts'
import {
  confirmApp,
  deleteApp,
  findHolder,
  findPendingApp,
  lockHolder,
  savePendingApp,
} from '#people/second-step/second-step.queries.ts'
import { endSecondStepIfBare, turnOn } from '#people/second-step/second-step.service.ts'
import { minutesOff, newTotpSecret, stepOf, uriOf } from '#people/second-step/totp.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { findSessionId, forgetSessions } from '#people/sessions/sessions.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'log' | 'meters' | 'settings'>

const sessionIdOf = async ({ db }: With<'db'>, { sessionToken }: Caller): Promise<string> => {
  const id = await findSessionId(db, sessionToken)
  if (id === undefined) throw new Problem('not-signed-in')
  return id
}

/**
 * A secret for an app. A page that is loaded again, or open twice, gets the one that it was shown; another session never
 * does, nor the same one after a proof, or a stranger in it would know what the owner then confirms. Throws 'ask-again'.
 */
export const beginTotp = async (deps: Deps, caller: Caller): Promise<{ secret: string; uri: string }> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  const owner = ownerOfTotp(customerId)
  const sessionId = await sessionIdOf(deps, caller)
  return deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!holder || !(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const begun = (await findPendingApp(trx, customerId, sessionId, SET_UP_MINUTES))?.pending_encrypted
    const shown = begun && readTotp(deps.keyCipher, begun, customerId)
    const secret = shown ?? newTotpSecret()
    const sealed = shown !== undefined && begun ? begun : deps.keyCipher.encryptText(secret, owner)
    await savePendingApp(trx, customerId, { sealed, sessionId, minutes: SET_UP_MINUTES })
    return { secret, uri: uriOf(secret, deps.settings.brand.name, holder.email) }
  })
}

const refusalOf = (secret: string, code: string, nowMs: number): Problem => {
  const off = minutesOff(secret, code, nowMs)
  const message = off ? OUR_MESSAGES.codeOfClock(Math.abs(off), off > 0) : OUR_MESSAGES.codeWrong
  return invalidField('code', message)
}

/**
 * The app's first code: from now on it is the app of the account, in the place of another, and the second step is on.
 * Throws 'ask-again', 'set-up-over', and 'invalid' for the code, which leaves the set-up as it is.
 */
export const confirmTotp = async (
  deps: Deps & With<'sessions'>,
  caller: Caller,
  typed: string,
): Promise<RecoveryCodes> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  const pending = await findPendingApp(deps.db, customerId, await sessionIdOf(deps, caller))
  if (!pending?.pending_encrypted) throw new Problem('set-up-over')
  const { pending_encrypted: sealed, now_ms } = pending
  const secret = readTotp(deps.keyCipher, sealed, customerId)
  if (secret === undefined) throw new Problem('set-up-over')
  const code = plainCode(typed)
  const step = stepOf(secret, code, now_ms)
  if (step === undefined) throw refusalOf(secret, code, now_ms)
  const isOn = Boolean((await findHolder(deps.db, customerId))?.second_step_at)
  const made = isOn ? undefined : await makeRecoveryCodes()
  const { ended, ...reply } = await deps.db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const isOnStill = Boolean(holder?.second_step_at)
    // Switched off in the same moment: there would be no codes.
    if (!holder || (!isOnStill && !made)) throw new Problem('set-up-over')
    // By the key of now: what is sealed by another one may be looked through already.
    const kept = { pending: sealed, secret: deps.keyCipher.encryptText(secret, ownerOfTotp(customerId)) }
    if (!(await confirmApp(trx, customerId, kept, step))) throw new Problem('set-up-over')
    await recordEvent({ ...deps, db: trx }, customerId, 'totp-added')
    if (isOnStill || !made) return { recoveryCodes: null, ended: [] }
    const ended = await turnOn({ ...deps, db: trx }, caller, made)
    return { recoveryCodes: made.codes, ended }
  })
  forgetSessions(deps, ended)
  return reply
}

/** Also one that is being set up. Without a passkey the second step ends. Throws 'ask-again'. */
export const removeTotp = async (deps: Deps, caller: Caller): Promise<void> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  await deps.db.transaction().execute(async (trx) => {
    const inTrx = { ...deps, db: trx }
    await lockHolder(trx, customerId)
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (await deleteApp(trx, customerId)) await recordEvent(inTrx, customerId, 'totp-removed')
    if (await endSecondStepIfBare(trx, customerId)) await recordEvent(inTrx, customerId, 'second-step-off')
  })
}
