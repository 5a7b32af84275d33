import { randomUUID } from 'node:crypto'
import type { Passkey, PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import { isUuid } from '@hedgerow/domain/ids'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { MOST_PASSKEYS, PASSKEY_NAME_LENGTH } from '@hedgerow/domain/passkeys'
import { creationOptions, readMadePasskey } from '#people/passkeys/make-passkey.ts'
import { presentPasskey } from '#people/passkeys/passkeys.present.ts'
import {
  deletePasskey,
  findOwner,
  insertPasskey,
  listPasskeys,
  updatePasskeyName,
} from '#people/passkeys/passkeys.queries.ts'
import { createChallenge, tryChallenge, useChallenge } from '#people/second-step/challenges.ts'
import { lockHolder } from '#people/second-step/second-step.queries.ts'
import { endSecondStepIfBare } from '#people/second-step/second-step.service.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { visitor } from '#platform/http/visitor.ts'

type Deps = With<'db' | 'log' | 'meters' | 'settings'>

/** As its owner calls it, or else as people call the browser that it was made in. */
const nameOr = (given: string): string =>
  (given || visitor().browser || 'Passkey').slice(0, PASSKEY_NAME_LENGTH).trim()

/** Throws 'ask-again', and 'passkeys-full' where there are as many as an account may have. */
export const beginPasskey = async (deps: Deps, caller: Caller): Promise<PasskeyQuestion> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  const owner = await findOwner(deps.db, customerId)
  if (!owner) throw new Problem('not-signed-in')
  const passkeys = await listPasskeys(deps.db, customerId)
  if (passkeys.length >= MOST_PASSKEYS) throw new Problem('passkeys-full')
  const challenge = await createChallenge(deps.db, 'add-passkey', customerId)
  const options = await creationOptions(
    deps,
    challenge,
    { id: customerId, label: owner.email, name: owner.name },
    passkeys,
  )
  return { ticket: challenge.ticket, options }
}

/**
 * The passkey that was made for the ticket opens the account from now on. Throws 'ask-again', 'question-over' for a ticket
 * that is over, used or another's, 'invalid' for what is no passkey of ours, 'passkey-taken' and 'passkeys-full'.
 */
export const addPasskey = async (
  deps: Deps,
  caller: Caller,
  answer: PasskeyAnswer & { name: string },
): Promise<Passkey> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  const asked = await tryChallenge(deps.db, answer.ticket, 'add-passkey')
  if (!asked || asked.customer_id !== customerId) throw new Problem('question-over')
  const made = await readMadePasskey(deps, asked, answer)
  if (!made) throw invalidField('passkey', OUR_MESSAGES.passkeyWrong)
  const name = nameOr(answer.name)
  return deps.db.transaction().execute(async (trx) => {
    await lockHolder(trx, customerId)
    // A session is ended to keep someone out: it leaves no passkey behind.
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (!(await useChallenge(trx, asked))) throw new Problem('question-over')
    if ((await listPasskeys(trx, customerId)).length >= MOST_PASSKEYS) throw new Problem('passkeys-full')
    const row = await insertPasskey(trx, { id: randomUUID(), customer_id: customerId, name, ...made })
    if (!row) throw new Problem('passkey-taken')
    await recordEvent({ ...deps, db: trx }, customerId, 'passkey-added')
    return presentPasskey(row)
  })
}

/** Throws 'passkey-not-found', also for another customer's. */
export const renamePasskey = async (
  { db }: With<'db'>,
  customerId: string,
  id: string,
  name: string,
): Promise<Passkey> => {
  const row = isUuid(id) ? await updatePasskeyName(db, { customerId, id }, nameOr(name)) : undefined
  if (!row) throw new Problem('passkey-not-found')
  return presentPasskey(row)
}

/**
 * It opens nothing any more; where nothing is left to answer with, the second step ends with it. Returns the id that
 * browsers know it by, and whose it was. Throws 'ask-again', and 'passkey-not-found' also for another customer's.
 */
export const removePasskey = async (
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<{ credentialId: string; email: string }> => {
  await requireProof(deps, caller)
  const { customerId } = caller
  if (!isUuid(id)) throw new Problem('passkey-not-found')
  return deps.db.transaction().execute(async (trx) => {
    const owner = await lockHolder(trx, customerId)
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const removed = await deletePasskey(trx, { customerId, id })
    if (!owner || !removed) throw new Problem('passkey-not-found')
    const own = { ...deps, db: trx }
    await recordEvent(own, customerId, 'passkey-removed')
    if (await endSecondStepIfBare(trx, customerId)) await recordEvent(own, customerId, 'second-step-off')
    return { credentialId: removed.credential_id.toString('base64url'), email: owner.email }
  })
}
