import type { FinishLoginRequest } from '@hedgerow/contract/second-step'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { findCustomer } from '#people/accounts/customers.ts'
import type { LoggedIn } from '#people/accounts/log-in.ts'
import {
  countCodeTry,
  giveCodeTryBack,
  ofTriedFrom,
  type TriedFrom,
} from '#people/accounts/second-step-tries.ts'
import { checkPasskey, isPasskeyKnown } from '#people/passkeys/check-passkey.ts'
import { findChallenge, isLastTry, tryChallenge, useChallenge } from '#people/second-step/challenges.ts'
import { findCode, type KnownCode, takeCode } from '#people/second-step/check-code.ts'
import { lockHolder } from '#people/second-step/second-step.queries.ts'
import { stopWayBack } from '#people/second-step/way-back.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { startSession } from '#people/sessions/sessions.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { AuthChallengeRow } from '#platform/database/tables/security.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'log' | 'meters' | 'rateCounter' | 'settings'>

/** Whose log-in it is that waits for the second step. Throws 'second-step-over'. */
export const findWaiting = async ({ db }: With<'db'>, ticket: string): Promise<CustomerRow> => {
  const begun = await findChallenge(db, ticket, 'second-step')
  const customer = begun?.customer_id && (await findCustomer(db, begun.customer_id))
  if (!customer) throw new Problem('second-step-over')
  return customer
}

/** A passkey by the id that its authenticator gave it. */
type Answer = KnownCode | { credentialId: string }

/** What was answered; undefined for what is wrong. */
const findAnswer = async (
  deps: Deps,
  { id }: CustomerRow,
  asked: AuthChallengeRow,
  { code, passkey }: FinishLoginRequest,
): Promise<Answer | 'unreadable' | undefined> => {
  if (code !== undefined) return findCode(deps, id, code)
  if (!passkey || (await checkPasskey(deps, asked, passkey, id)) === undefined) return undefined
  return { credentialId: passkey.credential.id }
}

const refuse = async (
  deps: Deps,
  { id }: CustomerRow,
  asked: AuthChallengeRow,
  detail?: string,
): Promise<never> => {
  await recordEvent(deps, id, 'second-step-failed')
  if (isLastTry(asked)) throw new Problem('second-step-over')
  throw new Problem('wrong-second-step', detail === undefined ? {} : { detail })
}

/** Ticket, code, session and what they leave are one: of several who answer at once, one gets in, and takes one code. */
const enter = async (
  deps: Deps & { db: Trx },
  customer: CustomerRow,
  asked: AuthChallengeRow,
  answer: Answer,
): Promise<string | 'used'> => {
  await lockHolder(deps.db, customer.id)
  if ('credentialId' in answer) {
    // Its answer has used the ticket up, with its counter. It may have been removed since.
    if (!(await isPasskeyKnown(deps, answer.credentialId))) throw new Problem('second-step-over')
  } else {
    if (!(await takeCode(deps, customer.id, answer))) return 'used'
    if (!(await useChallenge(deps.db, asked))) throw new Problem('second-step-over')
  }
  const token = await startSession(deps.db, customer)
  if (token === undefined) throw new Problem('second-step-over')
  if (await stopWayBack(deps.db, customer.id)) await recordEvent(deps, customer.id, 'way-back-stopped')
  return token
}

/**
 * The second step of a log-in. Throws 'wrong-second-step', 'second-step-over' for a ticket that was used, tried too often or
 * is too old, 'passkey-copied', and 'too-many-requests'.
 */
export const finishLogin = async (
  deps: Deps,
  customer: CustomerRow,
  from: TriedFrom,
  request: FinishLoginRequest,
): Promise<LoggedIn> => {
  // A passkey's signature cannot be guessed: its owner gets in whatever strangers have tried.
  const counts = request.code === undefined ? [] : ofTriedFrom(customer.id, from)
  await countCodeTry(deps, counts)
  const asked = await tryChallenge(deps.db, request.ticket, 'second-step')
  if (!asked || asked.customer_id !== customer.id) throw new Problem('second-step-over')
  const answer = await findAnswer(deps, customer, asked, request)
  if (answer === 'unreadable') return refuse(deps, customer, asked, OUR_MESSAGES.codeUnreadable)
  if (!answer) {
    const detail = request.code === undefined ? OUR_MESSAGES.passkeyWrong : OUR_MESSAGES.codeWrong
    return refuse(deps, customer, asked, detail)
  }
  const token = await deps.db
    .transaction()
    .execute((trx) => enter({ ...deps, db: trx }, customer, asked, answer))
  if (token === 'used') return refuse(deps, customer, asked, OUR_MESSAGES.codeUsed)
  await giveCodeTryBack(deps, counts)
  return { token, customer }
}
