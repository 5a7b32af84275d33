import { randomUUID } from 'node:crypto'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import {
  confirmCustomer,
  deleteSession,
  findPartnerByPromocode,
  hasRecentLink,
  insertCustomer,
  insertSession,
  replacePassword,
  useLink,
} from '#accounts/accounts.queries.ts'
import { findCustomerByEmail } from '#accounts/customers.ts'
import { hashPassword, isCommonPassword, isPassword } from '#accounts/passwords.ts'
import { hashToken, newPromocode, newToken } from '#crypto/tokens.ts'
import type { CustomerRow } from '#database/tables/accounts.table.ts'
import type { With } from '#dependencies.ts'
import { invalidField, Problem } from '#http/problems.ts'
import { addJob } from '#queue/add-job.ts'
import { endLinksOf } from '#share-links/share-links.ts'

export {
  deleteEndedSessionsAndLinks,
  deleteSessions,
  deleteUnusedResetLinks,
  findSession,
} from '#accounts/accounts.queries.ts'

const SESSION_DAYS = 30

/** Throws 'invalid' with the path of the field. */
export const refuseCommon = async (password: string, path: string) => {
  if (await isCommonPassword(password)) throw invalidField(path, OUR_MESSAGES.passwordCommon)
}

type Signup = { name: string; email: string; signupPassword: string; referral?: string | undefined }

/** Opens an account and asks for the confirmation mail. Throws 'email-taken'. */
export const signUp = async (
  { db }: With<'db'>,
  { name, email, signupPassword, referral }: Signup,
): Promise<void> => {
  await refuseCommon(signupPassword, 'signupPassword')
  const passwordHash = await hashPassword(signupPassword)
  await db.transaction().execute(async (trx) => {
    const customer = await insertCustomer(trx, {
      id: randomUUID(),
      email: email.toLowerCase(),
      name,
      promocode: newPromocode(),
      password_hash: passwordHash,
      referred_by: referral && (await findPartnerByPromocode(trx, referral)),
    })
    if (!customer) throw new Problem('email-taken')
    await addJob(trx, 'mail-confirmation', { customerId: customer.id })
  })
}

/** The e-mail that the link confirmed; undefined when the link is used, too old, or none of ours. */
export const confirmAccount = ({ db }: With<'db'>, token: string): Promise<string | undefined> =>
  db.transaction().execute(async (trx) => {
    const link = await useLink(trx, hashToken(token), 'confirm')
    return link && (await confirmCustomer(trx, link.customer_id)).email
  })

/** Says nothing of whether the account exists, or is confirmed already. */
export const resendConfirmation = async ({ db }: With<'db'>, email: string): Promise<void> => {
  const customer = await findCustomerByEmail(db, email)
  if (customer && !customer.confirmed_at) await addJob(db, 'mail-confirmation', { customerId: customer.id })
}

/** Starts a session. Throws 'wrong-login', or 'not-confirmed' where the password is right. */
export const logIn = async (
  { db }: With<'db'>,
  username: string,
  password: string,
): Promise<{ token: string; customer: CustomerRow }> => {
  const customer = await findCustomerByEmail(db, username)
  if (!(await isPassword(password, customer?.password_hash)) || !customer) throw new Problem('wrong-login')
  if (!customer.confirmed_at) throw new Problem('not-confirmed')
  const token = newToken()
  // Checking took a moment, in which the password may have been changed and every session ended.
  if (!(await insertSession(db, hashToken(token), customer, SESSION_DAYS))) throw new Problem('wrong-login')
  return { token, customer }
}

export const logOut = async ({ db, sessions }: With<'db' | 'sessions'>, token: string): Promise<void> => {
  await deleteSession(db, hashToken(token))
  sessions.forget(keyOf(token))
}

/** Sessions that were ended in the database are not answered from memory either. */
export const forgetSessions = ({ sessions }: With<'sessions'>, tokenHashes: readonly Buffer[]): void => {
  for (const hash of tokenHashes) sessions.forget(hash.toString('hex'))
}

const keyOf = (token: string) => hashToken(token).toString('hex')

/** The customer that a bearer token belongs to, while its session lasts. */
export const findSessionCustomer = async (
  { sessions }: With<'sessions'>,
  token: string,
): Promise<string | undefined> => {
  const session = await sessions.get(keyOf(token))
  return session && session.expires_at > new Date() ? session.customer_id : undefined
}

const RESET_PAUSE_S = 60

/** Says nothing of whether the account exists. One mail a minute at most, however often it is asked for. */
export const requestPasswordReset = async ({ db }: With<'db'>, email: string): Promise<void> => {
  const customer = await findCustomerByEmail(db, email)
  if (!customer || (await hasRecentLink(db, customer.id, 'reset', RESET_PAUSE_S))) return
  await addJob(db, 'mail-reset', { customerId: customer.id }, { key: `reset:${customer.id}` })
}

/** Throws 'reset-link-invalid'. Of two who use the link at once, one wins. */
export const resetPassword = async (
  { db, sessions }: With<'db' | 'sessions'>,
  token: string,
  password: string,
): Promise<void> => {
  await refuseCommon(password, 'password')
  const passwordHash = await hashPassword(password)
  const ended = await db.transaction().execute(async (trx) => {
    const link = await useLink(trx, hashToken(token), 'reset')
    if (!link) throw new Problem('reset-link-invalid')
    await addJob(trx, 'mail-password-changed', { customerId: link.customer_id })
    const ended = await replacePassword(trx, link.customer_id, passwordHash)
    await endLinksOf(trx, link.customer_id)
    return ended
  })
  forgetSessions({ sessions }, ended)
}
