import type { Session as SessionReply } from '@hedgerow/contract/sessions'
import { recordEvent } from '#people/security-events/security-events.ts'
import type { Caller } from '#people/sessions/recent-proof.ts'
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  findIdOfSession,
  holdAccount,
  insertSession,
  listSessionRows,
  lockSessions,
  replaceToken,
  touchSession,
} from '#people/sessions/sessions.queries.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { Db } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { Session } from '#platform/http/session.ts'
import { visitor } from '#platform/http/visitor.ts'

export {
  deleteEnded,
  deleteSessions,
  findSession,
  listSessionRows,
  lockSessions,
  type SessionRow,
} from '#people/sessions/sessions.queries.ts'

/** That a session is used is written down once in so long. */
const TOUCH_MS = 3_600_000

const keyOf = (token: string) => hashToken(token).toString('hex')

/**
 * Returns its token. `isByPassword`: nothing else was shown. Undefined when the password is no longer the one that was
 * checked, or is not enough any more.
 */
export const startSession = async (
  db: Db,
  customer: Pick<CustomerRow, 'id' | 'password_hash'>,
  { isByPassword = false } = {},
): Promise<string | undefined> => {
  const token = newToken()
  const isStarted = await insertSession(db, hashToken(token), customer, visitor(), isByPassword)
  return isStarted ? token : undefined
}

/** A session's name, which stays when its token is replaced. Undefined when it has ended. */
export const findSessionId = (db: Db, token: string): Promise<string | undefined> =>
  findIdOfSession(db, hashToken(token))
const lasts = ({ ends_at_ms }: Session): boolean => ends_at_ms > performance.now()

/** As it is remembered, or else as it is: where it was used in another process, its end has moved on without our knowing. */
const findLasting = async (
  sessions: With<'sessions'>['sessions'],
  key: string,
): Promise<Session | undefined> => {
  const known = await sessions.get(key)
  if (!known || lasts(known)) return known
  sessions.forget(key)
  const session = await sessions.get(key)
  return session && lasts(session) ? session : undefined
}

/** The customer that a bearer token belongs to, while its session lasts; each use moves its end on. */
export const findSessionCustomer = async (
  { db, sessions }: With<'db' | 'sessions'>,
  token: string,
): Promise<string | undefined> => {
  const key = keyOf(token)
  const session = await findLasting(sessions, key)
  if (!session) return undefined
  const now = performance.now()
  if (session.used_at_ms < now - TOUCH_MS) {
    session.used_at_ms = now
    const left = await touchSession(db, key)
    // It has ended, which this process has not heard of yet.
    if (left === undefined) return undefined
    session.ends_at_ms = performance.now() + left * 1000
  }
  return session.customer_id
}

type EndDeps = With<'db' | 'log' | 'meters' | 'sessions'>

/** Ends the session of a token. */
export const endSession = async ({ db, sessions }: With<'db' | 'sessions'>, token: string): Promise<void> => {
  await deleteSession(db, hashToken(token))
  sessions.forget(keyOf(token))
}

/** Sessions that were ended in the database are not answered from memory either; the command-line tool remembers none. */
export const forgetSessions = (
  { sessions }: Partial<With<'sessions'>>,
  tokenHashes: readonly Buffer[],
): void => {
  for (const hash of tokenHashes) sessions?.forget(hash.toString('hex'))
}

/** Its owner has proved again who they are. Returns the session's new token. Throws 'not-signed-in' when it has ended. */
export const renewSession = async (
  { db, sessions, log, meters }: EndDeps,
  { customerId, sessionToken }: Caller,
): Promise<string> => {
  const token = newToken()
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, customerId)
    if (!(await replaceToken(trx, hashToken(sessionToken), hashToken(token))))
      throw new Problem('not-signed-in')
    await recordEvent({ db: trx, log, meters }, customerId, 'asked-again')
  })
  sessions.forget(keyOf(sessionToken))
  return token
}

export const listSessions = async (
  { db }: With<'db'>,
  { customerId, sessionToken }: Caller,
): Promise<SessionReply[]> => {
  const own = hashToken(sessionToken)
  return (await listSessionRows(db, customerId)).map((row) => ({
    _id: row.id,
    browser: row.browser,
    network: row.network,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isCurrent: row.token_hash.equals(own),
  }))
}

/** Throws 'session-not-found', also for another customer's. */
export const endNamedSession = async (deps: EndDeps, customerId: string, id: string): Promise<void> => {
  const ended = await deps.db.transaction().execute(async (trx) => {
    const hash = await deleteNamedSession(trx, customerId, id)
    if (!hash) throw new Problem('session-not-found')
    await recordEvent({ ...deps, db: trx }, customerId, 'session-ended')
    return hash
  })
  forgetSessions(deps, [ended])
}

/**
 * All but the one that asks for it. Throws 'not-signed-in' when that has ended, or has another token by now: it would be
 * among the others.
 */
export const endOtherSessions = async (
  deps: EndDeps,
  { customerId, sessionToken }: Caller,
): Promise<void> => {
  const own = hashToken(sessionToken)
  const ended = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockSessions(trx, customerId, own))) throw new Problem('not-signed-in')
    const hashes = await deleteSessions(trx, customerId, own)
    if (hashes.length > 0) await recordEvent({ ...deps, db: trx }, customerId, 'sessions-ended')
    return hashes
  })
  forgetSessions(deps, ended)
}
