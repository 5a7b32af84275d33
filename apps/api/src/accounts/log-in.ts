import type { SecondStepNeeded } from '@hedgerow/contract/accounts'
import { findCustomer, findCustomerByEmail } from '#accounts/customers.ts'
import type { CustomerRow } from '#database/tables/accounts.table.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { isPassword } from '#passwords/passwords.ts'
import { createSecondStep } from '#second-step/challenges.ts'
import { passkeyQuestion } from '#second-step/check-passkey.ts'
import { hasApp } from '#second-step/second-step.service.ts'
import { endIfOverdue } from '#second-step/way-back.ts'
import { recordEventLater } from '#security-events/security-events.ts'
import { startSession } from '#sessions/sessions.service.ts'

export type LoggedIn = { token: string; customer: CustomerRow }

type Deps = With<'db' | 'later' | 'log' | 'meters' | 'sessions' | 'settings'>

/** Whether a log-in takes more than the password by now: a wait that is over ends here, whether or not its job has come. */
const takesSecondStep = async (deps: Deps, customer: CustomerRow): Promise<boolean> => {
  if (!customer.second_step_ends_at) return customer.second_step_at !== null
  await endIfOverdue(deps, customer.id)
  return Boolean((await findCustomer(deps.db, customer.id))?.second_step_at)
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
 * Starts a session, or asks for the second step of the account. Throws 'wrong-login', or 'not-confirmed' where the password
 * is right.
 */
export const logIn = async (
  deps: Deps,
  username: string,
  password: string,
): Promise<LoggedIn | SecondStepNeeded> => {
  const customer = await findCustomerByEmail(deps.db, username)
  const isRight = await isPassword(password, customer?.password_hash)
  if (!isRight || !customer) {
    if (customer) recordEventLater(deps, customer.id, 'log-in-failed')
    throw new Problem('wrong-login')
  }
  if (!customer.confirmed_at) throw new Problem('not-confirmed')
  if (await takesSecondStep(deps, customer)) return askSecondStep(deps, customer)
  // Checking took a moment, in which the password may have been changed or a second step begun, and every session ended.
  const token = await startSession(deps.db, customer, { isByPassword: true })
  if (token === undefined) throw new Problem('wrong-login')
  return { token, customer }
}
