import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import { findCustomer } from '#people/accounts/customers.ts'
import type { LoggedIn } from '#people/accounts/log-in.ts'
import { checkPasskey, isPasskeyKnown, passkeyQuestion } from '#people/passkeys/check-passkey.ts'
import { createChallenge, tryChallenge } from '#people/second-step/challenges.ts'
import { lockHolder } from '#people/second-step/second-step.queries.ts'
import { stopWayBack } from '#people/second-step/way-back.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { startSession } from '#people/sessions/sessions.service.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'log' | 'meters' | 'settings'>

/** For a passkey of anyone: whose it is, it says itself. */
export const loginPasskeyOptions = async (deps: With<'db' | 'settings'>): Promise<PasskeyQuestion> => {
  const question = await passkeyQuestion(deps, await createChallenge(deps.db, 'log-in'))
  if (!question) throw new Problem('unexpected')
  return question
}

/**
 * A passkey is more than the password: a customer who has lost the second step does not log in by one. One that was removed
 * since it answered opens nothing: its owner may have ended every session after that.
 */
const start = (deps: Deps, customer: CustomerRow, credentialId: string): Promise<string> =>
  deps.db.transaction().execute(async (trx) => {
    await lockHolder(trx, customer.id)
    if (!(await isPasskeyKnown({ db: trx }, credentialId))) throw new Problem('unknown-passkey')
    if (await stopWayBack(trx, customer.id))
      await recordEvent({ ...deps, db: trx }, customer.id, 'way-back-stopped')
    const token = await startSession(trx, customer)
    // The password was changed in this moment, and every session ended.
    if (token === undefined) throw new Problem('wrong-passkey')
    return token
  })

/**
 * Starts a session without a password or a further step: the passkey has verified its owner. Throws 'question-over' for a
 * ticket that is over or used, 'unknown-passkey' for one that was removed, 'passkey-copied', 'wrong-passkey' for any other
 * answer, and 'not-confirmed'.
 */
export const logInByPasskey = async (deps: Deps, answer: PasskeyAnswer): Promise<LoggedIn> => {
  const asked = await tryChallenge(deps.db, answer.ticket, 'log-in')
  if (!asked) throw new Problem('question-over')
  if (!(await isPasskeyKnown(deps, answer.credential.id))) throw new Problem('unknown-passkey')
  const customerId = await checkPasskey(deps, asked, answer)
  const customer = customerId && (await findCustomer(deps.db, customerId))
  if (!customer) throw new Problem('wrong-passkey')
  if (!customer.confirmed_at) throw new Problem('not-confirmed')
  return { token: await start(deps, customer, answer.credential.id), customer }
}
