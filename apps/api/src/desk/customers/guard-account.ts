import { findGuard, type GuardFacts, replacePasswordBy } from '#desk/customers/guard-account.queries.ts'
import { deleteUnusedLinks } from '#people/accounts/accounts.service.ts'
import { hashPassword } from '#people/passwords/passwords.ts'
import { dropNewFactors } from '#people/second-step/drop-new-factors.ts'
import {
  deletePasskeys,
  endSecondStep,
  listPasskeys,
  lockHolder,
} from '#people/second-step/second-step.service.ts'
import { type EventRow, keepEvent, listEventRows } from '#people/security-events/security-events.ts'
import { deleteSessions, listSessionRows, type SessionRow } from '#people/sessions/sessions.service.ts'
import { endLinksOf } from '#people/share-links/share-links.ts'
import { newToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

type PasskeyFacts = {
  id: string
  name: string
  is_synced: boolean
  created_at: Date
  last_used_at: Date | null
}

export type AccountActivity = {
  guard: GuardFacts
  passkeys: PasskeyFacts[]
  sessions: Omit<SessionRow, 'token_hash'>[]
  /** The newest first, and one more than asked for where there are more. */
  events: EventRow[]
}

const withoutKeys = async (db: Db, customerId: string): Promise<PasskeyFacts[]> =>
  (await listPasskeys(db, customerId)).map(({ id, name, is_synced, created_at, last_used_at }) => ({
    id,
    name,
    is_synced,
    created_at,
    last_used_at,
  }))

/** How an account is guarded, where it is logged in, and what happened to it; no key, no hash, no code. */
export const getAccountActivity = async (
  { db }: Deps,
  customerId: string,
  limit: number,
): Promise<AccountActivity> => {
  const guard = await findGuard(db, customerId)
  // Erased meanwhile.
  if (!guard) throw new Problem('not-signed-in')
  return {
    guard,
    passkeys: await withoutKeys(db, customerId),
    sessions: (await listSessionRows(db, customerId)).map(({ token_hash: _, ...session }) => session),
    events: await listEventRows(db, customerId, { limit: limit + 1 }),
  }
}

type Wish = {
  /** The password no longer works: its owner has to choose another. */
  newPassword?: boolean
  /** Passkeys, the app and recovery codes are forgotten. */
  withoutSecondStep?: boolean
}

const hashFor = ({ newPassword }: Wish) => (newPassword ? hashPassword(newToken()) : undefined)

const endAll = async (
  trx: Trx,
  customerId: string,
  { withoutSecondStep }: Wish,
  passwordHash?: string,
): Promise<Buffer[]> => {
  // First of all, as by everyone: what is done in a session waits for it, and holds nobody up.
  await lockHolder(trx, customerId)
  if (passwordHash !== undefined) await replacePasswordBy(trx, customerId, passwordHash)
  if (withoutSecondStep) {
    await endSecondStep(trx, customerId)
    await deletePasskeys(trx, customerId)
  }
  if (passwordHash !== undefined && (await dropNewFactors(trx, customerId)).length > 0)
    await keepEvent(trx, customerId, 'new-factors-removed')
  const ended = await deleteSessions(trx, customerId)
  await deleteUnusedLinks(trx, customerId, ['reset'])
  await endLinksOf(trx, customerId)
  if (withoutSecondStep) await keepEvent(trx, customerId, 'second-step-off')
  if (!(await keepEvent(trx, customerId, 'ended-by-us'))) throw new Problem('not-signed-in')
  return ended
}

/**
 * For an account that somebody else has got into: every session ends, and with them the log-ins that wait for a second step,
 * another address that was asked for, the links to choose a password and those to connections; with the password, what
 * was added in the days before to get in by. Its owner is mailed. Returns the hashes of the sessions' tokens, which are
 * then to be forgotten.
 */
export const logOutEverywhere = async ({ db }: Deps, customerId: string, wish: Wish): Promise<Buffer[]> => {
  const passwordHash = await hashFor(wish)
  return db.transaction().execute((trx) => endAll(trx, customerId, wish, passwordHash))
}

/** The same in the caller's transaction, and with it the second step: passkeys, app and codes are forgotten. */
export const endSecondStepWithin = (trx: Trx, customerId: string): Promise<Buffer[]> =>
  endAll(trx, customerId, { withoutSecondStep: true })
