import type { ProofOptions, ProofWay, ProveRequest } from '@hedgerow/contract/sessions'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { findCustomer } from '#people/accounts/customers.ts'
import { countPasswordTry } from '#people/accounts/password-tries.ts'
import { countCodeTry, giveCodeTryBack, ofSession } from '#people/accounts/second-step-tries.ts'
import { checkPasskey, passkeyQuestion } from '#people/passkeys/check-passkey.ts'
import { listPasskeys } from '#people/passkeys/passkeys.queries.ts'
import { isPassword } from '#people/passwords/passwords.ts'
import { createChallenge, tryChallenge } from '#people/second-step/challenges.ts'
import { type CodeCheck, checkCode } from '#people/second-step/check-code.ts'
import { keepSecondStep } from '#people/second-step/way-back.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { type Caller, isRecentlyProved, requireProof } from '#people/sessions/recent-proof.ts'
import { renewSession } from '#people/sessions/sessions.service.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'log' | 'meters' | 'rateCounter' | 'sessions' | 'settings'>

const customerOf = async ({ db }: With<'db'>, { customerId }: Caller): Promise<CustomerRow> => {
  const customer = await findCustomer(db, customerId)
  if (!customer) throw new Problem('not-signed-in')
  return customer
}

/**
 * Where a log-in takes more than the password, the password alone proves nothing later either. Once the wait for the end of
 * a lost second step is over, it does again, even before that has been noted.
 */
export const asksSecondStep = ({ second_step_at, second_step_ends_at }: CustomerRow): boolean =>
  second_step_at !== null && !(second_step_ends_at && second_step_ends_at <= new Date())

const waysOf = (customer: CustomerRow, hasPasskey: boolean): ProofWay[] => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  asksSecondStep(customer) ? 'code' : 'password',
]

/** How the caller can prove again who they are. */
export const proofOptions = async (deps: With<'db' | 'settings'>, caller: Caller): Promise<ProofOptions> => {
  const customer = await customerOf(deps, caller)
  const hasPasskey = (await listPasskeys(deps.db, customer.id)).length > 0
  const ways = waysOf(customer, hasPasskey)
  const options = { email: customer.email, ways }
  if (!hasPasskey) return options
  const challenge = await createChallenge(deps.db, 'ask-again', customer.id)
  const passkey = await passkeyQuestion(deps, challenge, customer.id)
  return passkey ? { ...options, passkey } : options
}

const REFUSALS: Readonly<Record<Exclude<CodeCheck, 'right'>, string>> = {
  wrong: OUR_MESSAGES.codeWrong,
  used: OUR_MESSAGES.codeUsed,
  unreadable: OUR_MESSAGES.codeUnreadable,
}

/** The message for what was wrong with the proof; undefined for a right one. */
const check = async (
  deps: Deps,
  customer: CustomerRow,
  { password, code, passkey }: ProveRequest,
): Promise<{ field: string; message: string } | undefined> => {
  if (password !== undefined) {
    if (asksSecondStep(customer)) return { field: 'password', message: OUR_MESSAGES.passwordNotEnough }
    const isRight = await isPassword(password, customer.password_hash)
    return isRight ? undefined : { field: 'password', message: OUR_MESSAGES.passwordWrong }
  }
  if (code !== undefined) {
    const checked = asksSecondStep(customer) ? await checkCode(deps, customer.id, code) : 'wrong'
    if (checked === 'right') return undefined
    return { field: 'code', message: REFUSALS[checked] }
  }
  const wrong = { field: 'passkey', message: OUR_MESSAGES.passkeyWrong }
  const asked = passkey && (await tryChallenge(deps.db, passkey.ticket, 'ask-again'))
  if (!asked || asked.customer_id !== customer.id) return wrong
  return (await checkPasskey(deps, asked, passkey, customer.id)) ? undefined : wrong
}

/**
 * The caller proves again who they are, and for 15 minutes nothing asks. Returns the session's new token: the old one has
 * ended. Throws 'invalid' for what is wrong with the proof, 'passkey-copied', and 'too-many-requests'.
 */
export const prove = async (deps: Deps, caller: Caller, proof: ProveRequest): Promise<string> => {
  const counts = proof.code === undefined ? [] : ofSession(caller.sessionToken)
  await countPasswordTry(deps, caller.customerId, caller.sessionToken)
  await countCodeTry(deps, counts)
  const refusal = await check(deps, await customerOf(deps, caller), proof)
  if (refusal) {
    await recordEvent(deps, caller.customerId, 'ask-again-failed')
    throw invalidField(refusal.field, refusal.message)
  }
  await giveCodeTryBack(deps, counts)
  // As after a log-in by the second step: it is not lost.
  if (proof.password === undefined) await keepSecondStep(deps, caller.customerId)
  return renewSession(deps, caller)
}

/** Whether such a call has to carry the password. With a second step it would prove nothing: then 'ask-again' is answered. */
export const asksPassword = async (deps: With<'db'>, caller: Caller): Promise<boolean> =>
  !(await isRecentlyProved(deps, caller)) && !asksSecondStep(await customerOf(deps, caller))

/**
 * For calls that carry the password themselves: it is proof enough where the account has no second step. Throws 'invalid'
 * unless the password is right or the last proof is recent, and 'ask-again' where the password is not enough.
 */
export const askAgain = async (
  deps: With<'db' | 'log' | 'meters' | 'rateCounter'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> => {
  if (await isRecentlyProved(deps, caller)) return
  const customer = await customerOf(deps, caller)
  if (asksSecondStep(customer)) return requireProof(deps, caller)
  if (password === undefined) throw invalidField('password', OUR_MESSAGES.passwordToErase)
  await countPasswordTry(deps, caller.customerId, caller.sessionToken)
  if (await isPassword(password, customer.password_hash)) return
  await recordEvent(deps, caller.customerId, 'ask-again-failed')
  throw invalidField('password', OUR_MESSAGES.passwordWrong)
}
