import { RECENT_LOG_IN_MINUTES } from '@hedgerow/domain/cancellations'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { sql } from 'kysely'
import { findCustomer } from '#accounts/customers.ts'
import { countPasswordTry } from '#accounts/password-tries.ts'
import { isPassword } from '#accounts/passwords.ts'
import { hashToken } from '#crypto/tokens.ts'
import type { With } from '#dependencies.ts'
import { invalidField, Problem } from '#http/problems.ts'

/** Whose session it is, and which. */
export type Caller = { customerId: string; sessionToken: string }

/** Whether the session began a moment ago: nobody has left it open since. */
export const hasJustLoggedIn = async (
  { db }: With<'db'>,
  { sessionToken }: Pick<Caller, 'sessionToken'>,
): Promise<boolean> => {
  const row = await db
    .selectFrom('sessions')
    .select('customer_id')
    .where('token_hash', '=', hashToken(sessionToken))
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${sql.lit(RECENT_LOG_IN_MINUTES)})`)
    .executeTakeFirst()
  return row !== undefined
}

/** Before what cannot be undone. Throws 'invalid' unless the password is right or the log-in is recent. */
export const askAgain = async (
  deps: With<'db' | 'rateCounter'>,
  caller: Caller,
  password: string | undefined,
): Promise<void> => {
  if (await hasJustLoggedIn(deps, caller)) return
  if (password === undefined) throw invalidField('password', OUR_MESSAGES.passwordToErase)
  await countPasswordTry(deps, caller.customerId, caller.sessionToken)
  const customer = await findCustomer(deps.db, caller.customerId)
  if (!customer) throw new Problem('not-signed-in')
  if (!(await isPassword(password, customer.password_hash)))
    throw invalidField('password', OUR_MESSAGES.passwordWrong)
}
