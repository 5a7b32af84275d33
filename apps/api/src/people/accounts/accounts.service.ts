import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { ConfirmRequest, MailedLink } from '@hedgerow/contract/accounts'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import {
  confirmCustomer,
  deleteUnconfirmed,
  deleteUnusedLinks,
  findLatelyLinked,
  findLinkedCustomer,
  findPartnerByPromocode,
  insertCustomer,
  keepRedirect,
  replacePassword,
  useLink,
} from '#people/accounts/accounts.queries.ts'
import { findCustomer, findCustomerByEmail } from '#people/accounts/customers.ts'
import { findByConfirmLink, findByUndoLink, findUndone } from '#people/accounts/email-change.queries.ts'
import type { LoggedIn } from '#people/accounts/log-in.ts'
import { orAsBefore, SENT_AGAIN_MINUTES } from '#people/accounts/same-sender.ts'
import { hashPassword, isPassword, namesOfShop, refuseGuessable } from '#people/passwords/passwords.ts'
import { dropNewFactors } from '#people/second-step/drop-new-factors.ts'
import { findByWayBackLink } from '#people/second-step/second-step.queries.ts'
import { recordEvent, recordEventLater } from '#people/security-events/security-events.ts'
import { forgetSessions, startSession } from '#people/sessions/sessions.service.ts'
import { endLinksOf } from '#people/share-links/share-links.ts'
import { hashToken, newPromocode } from '#platform/crypto/tokens.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem, type ProblemName } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export { deleteEndedLinks, deleteUnusedLinks } from '#people/accounts/accounts.queries.ts'

type Deps = With<'db' | 'settings'>
type SignupDeps = Deps & With<'keyedHash'>

/** How long an account waits for its address to be confirmed. */
const UNCONFIRMED_DAYS = 30

type Signup = {
  name: string
  email: string
  signupPassword: string
  referral?: string | undefined
  redirectUrl?: string | undefined
}

type SignedUp = { signupSecret: string; isNew: boolean }

/** The same for one account, so that whoever signed up twice by two presses has it, whichever answer comes first. */
const signupSecretOf = ({ keyedHash }: With<'keyedHash'>, customerId: string): string =>
  keyedHash('sign-up', customerId).toString('base64url')

/** What the same sender was answered a moment ago. */
const signedUpBefore = async (
  deps: SignupDeps,
  { name, email, signupPassword }: Signup,
): Promise<SignedUp | undefined> => {
  const found = await findCustomerByEmail(deps.db, email)
  if (!found || found.confirmed_at || found.name !== name) return undefined
  if (Date.now() - found.created_at.getTime() > SENT_AGAIN_MINUTES * 60_000) return undefined
  const signupSecret = signupSecretOf(deps, found.id)
  const isSame =
    isSignupSecret(signupSecret, found) && (await isPassword(signupPassword, found.password_hash))
  return isSame ? { signupSecret, isNew: false } : undefined
}

/**
 * Opens an account and asks for the confirmation mail. Returns the secret by which the browser that signed up confirms it
 * together with the mailed link. Throws 'email-taken', and 'invalid' for the password.
 */
export const signUp = (deps: SignupDeps, signup: Signup): Promise<SignedUp> =>
  orAsBefore(
    'email-taken',
    () => openAccount(deps, signup),
    () => signedUpBefore(deps, signup),
  )

const openAccount = async (
  { db, settings, keyedHash }: SignupDeps,
  { name, email, signupPassword, referral, redirectUrl }: Signup,
): Promise<SignedUp> => {
  await refuseGuessable(signupPassword, 'signupPassword', [...namesOfShop(settings), email, name])
  const passwordHash = await hashPassword(signupPassword)
  const id = randomUUID()
  const signupSecret = signupSecretOf({ keyedHash }, id)
  await db.transaction().execute(async (trx) => {
    const customer = await insertCustomer(trx, {
      id,
      email: email.toLowerCase(),
      name,
      promocode: newPromocode(),
      password_hash: passwordHash,
      signup_secret_hash: hashToken(signupSecret),
      referred_by: referral && (await findPartnerByPromocode(trx, referral)),
      redirect_path: redirectUrl,
    })
    if (!customer) throw new Problem('email-taken')
    await addJob(trx, 'mail-confirmation', { customerId: customer.id })
  })
  return { signupSecret, isNew: true }
}

const isSignupSecret = (secret: string, { signup_secret_hash: hash }: CustomerRow): boolean =>
  hash !== null && timingSafeEqual(hashToken(secret), hash)

/** Throws 'invalid' unless the caller signed up, or knows the password that was chosen then. */
const checkWhoSignedUp = async (
  { signupSecret, password = '' }: ConfirmRequest,
  customer: CustomerRow,
): Promise<void> => {
  if (signupSecret !== undefined) {
    if (!isSignupSecret(signupSecret, customer))
      throw invalidField('signupSecret', OUR_MESSAGES.chosenPasswordRequired)
  } else if (!(await isPassword(password, customer.password_hash)))
    throw invalidField('password', OUR_MESSAGES.passwordWrong)
}

/** Where to go on to: a page of the shop. */
type GoingTo = { redirectUrl?: string }

const goingTo = (path: string | null): GoingTo => (path === null ? {} : { redirectUrl: path })

/**
 * Whose account waits to be confirmed by the link. One that is confirmed opens by no such link, which asks for no second
 * step: a mail that was being made meanwhile may have brought another. Throws 'confirm-link-invalid'.
 */
const findUnconfirmed = async ({ db }: With<'db'>, linkHash: Buffer): Promise<CustomerRow> => {
  const found = await findLinkedCustomer(db, linkHash, 'confirm')
  if (!found || found.confirmed_at) throw new Problem('confirm-link-invalid')
  return found
}

/** `isDone`: the link was used, and what it was for still stands. Its holder is told that alone. */
type Looked = { email?: string; isDone?: true }
type Look = (deps: With<'db'>, linkHash: Buffer) => Promise<Looked | undefined>

/** So long a used link to confirm an account still says so. */
const CONFIRMED_SAID_MINUTES = 24 * 60

/** What its holder may learn of each kind of link, and how it is said that one works no longer. */
const LOOKS: Record<MailedLink['kind'], { over: ProblemName; look: Look }> = {
  confirm: {
    over: 'confirm-link-invalid',
    look: async (deps, hash) =>
      (await findLatelyLinked(deps.db, hash, 'confirm', CONFIRMED_SAID_MINUTES))
        ? { isDone: true }
        : { email: (await findUnconfirmed(deps, hash)).email },
  },
  reset: {
    over: 'reset-link-invalid',
    look: async ({ db }, hash) => {
      const found = await findLinkedCustomer(db, hash, 'reset')
      return found && { email: found.email }
    },
  },
  'email-confirm': {
    over: 'email-link-invalid',
    look: async ({ db }, hash) => {
      const change = await findByConfirmLink(db, hash)
      return change && { email: change.new_email }
    },
  },
  'email-undo': {
    over: 'undo-link-invalid',
    look: async ({ db }, hash) => {
      const change = await findByUndoLink(db, hash)
      if (change) return { email: change.old_email }
      return (await findUndone(db, hash)) && { isDone: true }
    },
  },
  // Mailed to former addresses too, whose readers are not told the one of today.
  'second-step': {
    over: 'way-back-link-invalid',
    look: async ({ db }, hash) => ((await findByWayBackLink(db, hash)) === undefined ? undefined : {}),
  },
}

/** Whether a mailed link works, and for which address, before its holder types anything. Throws the problem of its kind. */
export const lookAtLink = async (deps: With<'db'>, { kind, token }: MailedLink): Promise<Looked> => {
  const { over, look } = LOOKS[kind]
  const found = await look(deps, hashToken(token))
  if (!found) throw new Problem(over)
  return found
}

/**
 * Uses the mailed link up, confirms the address and starts a session. The link alone proves only the mailbox: a stranger
 * may have typed the address. So it takes a proof of having signed up too, or else a new password, and
 * then nothing of what was typed stays, nor where the opener was going. Throws 'confirm-link-invalid', and 'invalid' for the proof, which leaves the link
 * as it is. Of several who use it at once, one wins.
 */
export const confirmAccount = async (
  { db, settings }: Deps,
  token: string,
  proof: ConfirmRequest,
): Promise<LoggedIn & GoingTo> => {
  const linkHash = hashToken(token)
  const found = await findUnconfirmed({ db }, linkHash)
  const { newPassword } = proof
  if (newPassword === undefined) await checkWhoSignedUp(proof, found)
  else await refuseGuessable(newPassword, 'newPassword', [...namesOfShop(settings), found.email])
  const newHash = newPassword === undefined ? undefined : await hashPassword(newPassword)
  return db.transaction().execute(async (trx) => {
    if (!(await useLink(trx, linkHash, 'confirm'))) throw new Problem('confirm-link-invalid')
    if (newHash !== undefined) await replacePassword(trx, found, newHash)
    else if (!(await confirmCustomer(trx, found))) throw new Problem('confirm-link-invalid')
    await deleteUnusedLinks(trx, found.id, ['confirm'])
    const customer = await findCustomer(trx, found.id)
    const sessionToken = customer && (await startSession(trx, customer))
    if (!sessionToken) throw new Problem('confirm-link-invalid')
    return {
      token: sessionToken,
      customer,
      ...(newHash === undefined ? goingTo(found.redirect_path) : {}),
    }
  })
}

type PublicDeps = With<'db' | 'keyedHash'>
type RequestDeps = PublicDeps & With<'later' | 'log' | 'meters'>

/** Looks like an account's, and is always the same for one address. */
const idOfNobody = ({ keyedHash }: PublicDeps, email: string): string => {
  const hex = keyedHash('id of nobody', email.toLowerCase()).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The account, or one that does not exist: both take the same time. */
const idFor = async (deps: PublicDeps, email: string): Promise<string> =>
  (await findCustomerByEmail(deps.db, email))?.id ?? idOfNobody(deps, email)

/** For an account that is confirmed, or does not exist, the job sends nothing. */
export const queueConfirmation = ({ db }: With<'db'>, customerId: string): Promise<void> =>
  addJob(db, 'mail-confirmation', { customerId })

/** Says nothing of whether the account exists, or is confirmed already. */
export const resendConfirmation = async (deps: PublicDeps, email: string): Promise<void> =>
  queueConfirmation(deps, await idFor(deps, email))

/** Says nothing of whether the account exists. */
export const requestPasswordReset = async (
  deps: RequestDeps,
  email: string,
  redirectUrl?: string,
): Promise<void> => {
  const customerId = await idFor(deps, email)
  await deps.db.transaction().execute(async (trx) => {
    await keepRedirect(trx, customerId, redirectUrl ?? null)
    await addJob(trx, 'mail-reset', { customerId }, { key: `reset:${customerId}` })
  })
  // Without an account nothing is noted.
  recordEventLater(deps, customerId, 'reset-asked')
}

/**
 * What was added in the days before to get in by goes too: someone who had the password may have added it. Returns whose account it is, and where they were going. Throws 'reset-link-invalid', and 'invalid' for the password, which leaves the link as it is. Of two who use the link at
 * once, one wins.
 */
export const resetPassword = (deps: ResetDeps, token: string, password: string): Promise<ResetDone> =>
  orAsBefore(
    'reset-link-invalid',
    () => choosePassword(deps, token, password),
    () => chosenBefore(deps, token, password),
  )

type ResetDeps = Deps & With<'log' | 'meters' | 'sessions'>
type ResetDone = { email: string; hasSecondStep: boolean } & GoingTo

/** Where the customer was going is gone by then. */
const chosenBefore = async (
  { db }: With<'db'>,
  token: string,
  password: string,
): Promise<ResetDone | undefined> => {
  const customer = await findLatelyLinked(db, hashToken(token), 'reset', SENT_AGAIN_MINUTES)
  if (!customer || !(await isPassword(password, customer.password_hash))) return undefined
  return { email: customer.email, hasSecondStep: customer.second_step_at !== null }
}

const choosePassword = async (
  { db, sessions, settings, log, meters }: ResetDeps,
  token: string,
  password: string,
): Promise<ResetDone> => {
  const linkHash = hashToken(token)
  const customer = await findLinkedCustomer(db, linkHash, 'reset')
  if (!customer) throw new Problem('reset-link-invalid')
  await refuseGuessable(password, 'password', [...namesOfShop(settings), customer.email, customer.name])
  const passwordHash = await hashPassword(password)
  const { ended, hasSecondStep } = await db.transaction().execute(async (trx) => {
    if (!(await useLink(trx, linkHash, 'reset'))) throw new Problem('reset-link-invalid')
    const ended = await replacePassword(trx, customer, passwordHash)
    await endLinksOf(trx, customer.id)
    const dropped = await dropNewFactors(trx, customer.id)
    await addJob(trx, 'mail-password-changed', { customerId: customer.id, dropped })
    await recordEvent({ db: trx, log, meters }, customer.id, 'password-reset')
    if (dropped.length > 0) await recordEvent({ db: trx, log, meters }, customer.id, 'new-factors-removed')
    const hasSecondStep = (await findCustomer(trx, customer.id))?.second_step_at !== null
    return { ended, hasSecondStep }
  })
  forgetSessions({ sessions }, ended)
  return {
    email: customer.email,
    hasSecondStep,
    ...(customer.confirmed_at ? goingTo(customer.redirect_path) : {}),
  }
}

/** Accounts whose address was not confirmed in time. Of them nothing is kept. */
export const deleteOldUnconfirmed = ({ db }: With<'db'>) => deleteUnconfirmed(db, UNCONFIRMED_DAYS)
