import { randomUUID } from 'node:crypto'
import type { AccountData } from '@hedgerow/contract/account-data'
import type { EmailChange } from '@hedgerow/contract/email-change'
import { mailboxOf } from '@hedgerow/domain/mailboxes'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { deleteUnusedLinks, replacePassword } from '#people/accounts/accounts.queries.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import {
  askOnceMore,
  endFrom,
  endPending,
  findByConfirmLink,
  findByUndoLink,
  findLatelyMoved,
  findPending,
  findUndone,
  insertChange,
  listChanges,
  listUndoable,
  lockAccount,
  markChanged,
  moveTo,
  takeBrought,
} from '#people/accounts/email-change.queries.ts'
import { orAsBefore, SENT_AGAIN_MINUTES } from '#people/accounts/same-sender.ts'
import { hashPassword, isPassword, refuseGuessable } from '#people/passwords/passwords.ts'
import { dropNewFactors } from '#people/second-step/drop-new-factors.ts'
import { lockHolder } from '#people/second-step/second-step.queries.ts'
import { forgetWaits } from '#people/second-step/second-step.service.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { forgetSessions } from '#people/sessions/sessions.service.ts'
import { endLinksOf } from '#people/share-links/share-links.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'
import { invalidField, Problem, type ProblemName } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export { deleteOldEmailChanges } from '#people/accounts/email-change.queries.ts'

type Deps = With<'db' | 'log' | 'meters'>

const HOUR_S = 3_600
const DAY_S = 86_400
const ASKED_AN_HOUR = 5
const ASKED_A_DAY = 10
/** Of all customers together: the shop fills no mailbox. */
const MAILED_AN_HOUR = 3

/**
 * Has a link mailed to the new address. What is done here and what is answered is the same whether or not another account
 * has it: the mail differs, which its holder reads. Throws 'ask-again', 'invalid' for the account's own address, and
 * 'too-many-requests'.
 */
export const askForEmailChange = async (
  deps: Deps & With<'rateCounter'>,
  caller: Caller,
  typed: string,
): Promise<void> => {
  const { customerId } = caller
  const newEmail = typed.toLowerCase()
  await requireProof(deps, caller)
  if ((await findCustomer(deps.db, customerId))?.email === newEmail)
    throw invalidField('email', OUR_MESSAGES.emailOwn)
  await refuseTooMany(deps.rateCounter, [
    { name: 'email changes an hour', of: customerId, most: ASKED_AN_HOUR, seconds: HOUR_S },
    { name: 'email changes a day', of: customerId, most: ASKED_A_DAY, seconds: DAY_S },
    { name: 'email changes to an address', of: mailboxOf(newEmail), most: MAILED_AN_HOUR, seconds: HOUR_S },
  ])
  await deps.db.transaction().execute(async (trx) => {
    // No more than that: the job that mails an earlier link holds what is ended here, and wants the account to be there.
    const customer = await lockHolder(trx, customerId)
    if (!customer || !(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    if (customer.email === newEmail) throw invalidField('email', OUR_MESSAGES.emailOwn)
    let changeId = (await askOnceMore(trx, customerId, newEmail))?.id
    if (changeId === undefined) {
      changeId = randomUUID()
      await endPending(trx, customerId)
      await insertChange(trx, {
        id: changeId,
        customer_id: customerId,
        old_email: customer.email,
        new_email: newEmail,
      })
    }
    await addJob(trx, 'mail-email-change', { changeId }, { key: `email-change:${changeId}` })
    await recordEvent({ ...deps, db: trx }, customerId, 'email-change-asked')
  })
}

export const getEmailChange = async ({ db }: With<'db'>, customerId: string): Promise<EmailChange> => {
  const customer = await findCustomer(db, customerId)
  if (!customer) throw new Problem('not-signed-in')
  const pending = await findPending(db, customerId)
  const [undoable] = await listUndoable(db, customerId)
  return {
    email: customer.email,
    pending: pending
      ? {
          email: pending.new_email,
          askedAt: pending.asked_at.toISOString(),
          expiresAt: pending.expires_at.toISOString(),
        }
      : null,
    undoable:
      undoable?.changed_at && undoable.undo_until
        ? {
            oldEmail: undoable.old_email,
            changedAt: undoable.changed_at.toISOString(),
            undoUntil: undoable.undo_until.toISOString(),
          }
        : null,
  }
}

/** Also where nothing is pending any more. */
export const withdrawEmailChange = async ({ db }: With<'db'>, customerId: string): Promise<void> => {
  await endPending(db, customerId)
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
/** A new account may take the address in the very moment. */
const TAKEN = '23505'
/** What else is done in the account may hold the same rows in another order, and an intruder could do it on purpose. */
const DEADLOCK = '40P01'
const MOST_TRIES = 3

/** The transaction in which an account gets an address. Throws the problem where another account has it. */
const moving = async <R>(
  { db }: With<'db'>,
  taken: ProblemName,
  move: (trx: Trx) => Promise<R>,
  tries = 1,
): Promise<R> => {
  try {
    return await db.transaction().execute(move)
  } catch (error) {
    if (codeOf(error) === TAKEN) throw new Problem(taken)
    if (codeOf(error) === DEADLOCK && tries < MOST_TRIES) return moving({ db }, taken, move, tries + 1)
    throw error
  }
}

/** The account's address from now on. */
type Moved = { email: string; hasSecondStep: boolean }

/**
 * Returns the account's new address. What led into the account by the old one ends; its sessions go on. Throws
 * 'email-link-invalid', and 'email-taken-since', which leaves the link as
 * it is.
 */
export const confirmEmailChange = (deps: Deps, token: string): Promise<Moved> =>
  orAsBefore(
    'email-link-invalid',
    () => changeEmail(deps, token),
    () => findLatelyMoved(deps.db, hashToken(token), SENT_AGAIN_MINUTES),
  )

const changeEmail = async (deps: Deps, token: string): Promise<Moved> => {
  const invalid = new Problem('email-link-invalid')
  const change = await findByConfirmLink(deps.db, hashToken(token))
  if (!change) throw invalid
  const { id: changeId, customer_id: customerId, new_email: newEmail } = change
  const hasSecondStep = await moving(deps, 'email-taken-since', async (trx) => {
    const customer = await lockAccount(trx, customerId)
    if (!customer || !(await markChanged(trx, change, customer.email))) throw invalid
    if (!(await moveTo(trx, customerId, newEmail))) throw new Problem('email-taken-since')
    await deleteUnusedLinks(trx, customerId, ['confirm', 'reset'])
    await addJob(trx, 'mail-email-changed', { changeId })
    await addJob(trx, 'mail-email-left', { changeId })
    await recordEvent({ ...deps, db: trx }, customerId, 'email-changed')
    return customer.second_step_at !== null
  })
  return { email: newEmail, hasSecondStep }
}

/**
 * The old address comes back, with a new password: the one who changed it knew the old one. Nothing of theirs stays open: no
 * session, no share link, and nothing that they may have added to get in by, before they requested the change too. Later changes end with it. Returns the address.
 * Throws 'undo-link-invalid', and 'invalid' for the password and 'undo-email-taken', which leave the link as it is.
 */
export const undoEmailChange = (deps: UndoDeps, token: string, password: string): Promise<Moved> =>
  orAsBefore(
    'undo-link-invalid',
    () => restoreEmail(deps, token, password),
    () => restoredBefore(deps, token, password),
  )

type UndoDeps = Deps & With<'sessions' | 'settings'>

const restoredBefore = async (
  { db }: With<'db'>,
  token: string,
  password: string,
): Promise<Moved | undefined> => {
  const undone = await findUndone(db, hashToken(token))
  const since = Date.now() - (undone?.ended_at?.getTime() ?? 0)
  if (!undone || since > SENT_AGAIN_MINUTES * 60_000) return undefined
  if (!(await isPassword(password, undone.password_hash))) return undefined
  return { email: undone.email, hasSecondStep: undone.second_step_at !== null }
}

const restoreEmail = async (deps: UndoDeps, token: string, password: string): Promise<Moved> => {
  const invalid = new Problem('undo-link-invalid')
  const change = await findByUndoLink(deps.db, hashToken(token))
  const found = change && (await findCustomer(deps.db, change.customer_id))
  if (!found) throw invalid
  const { id: changeId, customer_id: customerId, old_email: oldEmail } = change
  await refuseGuessable(password, 'password', [deps.settings.brand.name, oldEmail, found.name])
  const passwordHash = await hashPassword(password)
  const { ended, hasSecondStep } = await moving(deps, 'undo-email-taken', async (trx) => {
    const customer = await lockAccount(trx, customerId)
    if (!customer) throw invalid
    const latestId = await endFrom(trx, change)
    if (latestId === undefined) throw invalid
    await takeBrought(trx, customerId, oldEmail)
    if (!(await moveTo(trx, customerId, oldEmail))) throw new Problem('undo-email-taken')
    const ended = await replacePassword(trx, customer, passwordHash)
    await endLinksOf(trx, customerId)
    await forgetWaits(trx, customerId)
    const dropped = await dropNewFactors(trx, customerId, change.asked_at)
    await addJob(trx, 'mail-email-back', { changeId, dropped })
    await addJob(trx, 'mail-email-lost', { changeId: latestId })
    await recordEvent({ ...deps, db: trx }, customerId, 'email-change-undone')
    if (dropped.length > 0) await recordEvent({ ...deps, db: trx }, customerId, 'new-factors-removed')
    return { ended, hasSecondStep: (await findCustomer(trx, customerId))?.second_step_at !== null }
  })
  forgetSessions(deps, ended)
  return { email: oldEmail, hasSecondStep }
}

/** Where an account can still be called back to: its reader is mailed what happens to it. */
export const addressesLeft = async (trx: Trx, customerId: string): Promise<string[]> => [
  ...new Set((await listUndoable(trx, customerId)).map(({ old_email }) => old_email)),
]

export const emailChangesForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<AccountData['emailChanges']> =>
  (await listChanges(db, customerId)).map((row) => ({
    _id: row.id,
    oldEmail: row.old_email,
    newEmail: row.new_email,
    askedAt: row.asked_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    changedAt: row.changed_at?.toISOString() ?? null,
    undoUntil: row.undo_until?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  }))
