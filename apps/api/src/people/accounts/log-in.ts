import type { SecondStepNeeded } from '@hedgerow/contract/accounts'
import { isResetMailed } from '#people/accounts/accounts.queries.ts'
import { findCustomer, findCustomerByEmail } from '#people/accounts/customers.ts'
import { passkeyQuestion } from '#people/passkeys/check-passkey.ts'
import { isLocked, withoutLock } from '#people/passwords/locked-passwords.ts'
import { isPassword } from '#people/passwords/passwords.ts'
import { createSecondStep } from '#people/second-step/challenges.ts'
import { hasApp } from '#people/second-step/second-step.queries.ts'
import { endIfOverdue } from '#people/second-step/way-back.ts'
import { recordEventLater } from '#people/security-events/security-events.ts'
import { startSession } from '#people/sessions/sessions.service.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export type LoggedIn = { token: string; customer: CustomerRow }

type Deps = With<'db' | 'later' | 'log' | 'meters' | 'sessions' | 'settings'>

/** As it is by now: a wait that is over ends here, whether or not its job has come. */
const afterWait = async (deps: Deps, customer: CustomerRow): Promise<CustomerRow | undefined> => {
  if (!customer.second_step_ends_at) return customer
  await endIfOverdue(deps, customer.id)
  return findCustomer(deps.db, customer.id)
}

const askSecondStep = async (deps: Deps, customer: CustomerRow): Promise<SecondStepNeeded> => {
  const made = await createSecondStep(deps.db, customer)
  if (!made) throw new Problem('wrong-login')
  const passkey = await passkeyQuestion(deps, made, customer.id)
  return {
    secondStep: {
      ticket: made.ticket,
      hasApp: await hasApp(deps.db, customer.id),
      ...(passkey ? { passkey } : {}),
      endsAt: customer.second_step_ends_at?.toISOString() ?? null,
    },
  }
}

/**
 * Starts a session, or asks for the second step of the account. Throws 'wrong-login', or where the password is right
 * 'not-confirmed', and 'new-password-needed' where it is locked: the link to choose another is mailed.
 */
export const logIn = async (
  deps: Deps,
  username: string,
  password: string,
): Promise<LoggedIn | SecondStepNeeded> => {
  const found = await findCustomerByEmail(deps.db, username)
  const isRight = await isPassword(password, found && withoutLock(found.password_hash))
  if (!isRight || !found) {
    if (found) recordEventLater(deps, found.id, 'log-in-failed')
    throw new Problem('wrong-login')
  }
  if (!found.confirmed_at) throw new Problem('not-confirmed')
  if (isLocked(found.password_hash)) {
    if (!(await isResetMailed(deps.db, found.id)))
      await addJob(deps.db, 'mail-reset', { customerId: found.id }, { key: `reset:${found.id}` })
    throw new Problem('new-password-needed')
  }
  const customer = await afterWait(deps, found)
  if (!customer) throw new Problem('wrong-login')
  if (customer.second_step_at) return askSecondStep(deps, customer)
  // Checking took a moment, in which the password may have been changed or a second step begun, and every session ended.
  const token = await startSession(deps.db, customer, { isByPassword: true })
  if (token === undefined) throw new Problem('wrong-login')
  return { token, customer }
}
