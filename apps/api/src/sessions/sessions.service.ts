import type { Session as SessionReply } from '@hedgerow/contract/sessions'
import { hashToken, newToken } from '#crypto/tokens.ts'
import type { Db } from '#database/client.ts'
import type { CustomerRow } from '#database/tables/accounts.table.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { visitor } from '#http/visitor.ts'
import { recordEvent } from '#security-events/security-events.ts'
import type { Caller } from '#sessions/recent-proof.ts'
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  insertSession,
  listSessionRows,
  replaceToken,
  touchSession,
} from '#sessions/sessions.queries.ts'

export {
  deleteEnded,
  deleteSessions,
  findSession,
  listSessionRows,
  type SessionRow,
} from '#sessions/sessions.queries.ts'

/** That a session is used is written down once in so long. */
const TOUCH_MS = 3_600_000

const keyOf = (token: string) => hashToken(token).toString('hex')

/** Returns its token. Undefined when the password is no longer the one that was checked. */
export const startSession = async (
  db: Db,
  customer: Pick<CustomerRow, 'id' | 'password_hash'>,
): Promise<string | undefined> => {
  const token = newToken()
  return (await insertSession(db, hashToken(token), customer, visitor())) ? token : undefined
}

/** The customer that a bearer token belongs to, while its session lasts; each use moves its end on. */
export const findSessionCustomer = async (
  { db, sessions }: With<'db' | 'sessions'>,
  token: string,
): Promise<string | undefined> => {
  const key = keyOf(token)
  const session = await sessions.get(key)
  const now = performance.now()
  if (!session || session.ends_at_ms <= now) return undefined
  if (session.used_at_ms < now - TOUCH_MS) {
    session.used_at_ms = now
    const left = await touchSession(db, key)
    if (left !== undefined) session.ends_at_ms = performance.now() + left * 1000
  }
  return session.customer_id
}

/** Ends the session of a token, whoever's it is. */
export const endSession = async ({ db, sessions }: With<'db' | 'sessions'>, token: string): Promise<void> => {
  await deleteSession(db, hashToken(token))
  sessions.forget(keyOf(token))
}

/** Sessions that were ended in the database are not answered from memory either. */
export const forgetSessions = ({ sessions }: With<'sessions'>, tokenHashes: readonly Buffer[]): void => {
  for (const hash of tokenHashes) sessions.forget(hash.toString('hex'))
}

/** Its owner has proved again who they are. Returns the session's new token. Throws 'not-signed-in' when it has ended. */
export const renewSession = async (
  { db, sessions }: With<'db' | 'sessions'>,
  { sessionToken }: Pick<Caller, 'sessionToken'>,
): Promise<string> => {
  const token = newToken()
  if (!(await replaceToken(db, hashToken(sessionToken), hashToken(token)))) throw new Problem('not-signed-in')
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

type EndDeps = With<'db' | 'log' | 'meters' | 'sessions'>

/** Throws 'session-not-found', also for another customer's. */
export const endNamedSession = async (deps: EndDeps, customerId: string, id: string): Promise<void> => {
  const ended = await deleteNamedSession(deps.db, customerId, id)
  if (!ended) throw new Problem('session-not-found')
  forgetSessions(deps, [ended])
  await recordEvent(deps, customerId, 'session-ended')
}

/** All but the one that asks for it. */
export const endOtherSessions = async (
  deps: EndDeps,
  { customerId, sessionToken }: Caller,
): Promise<void> => {
  const ended = await deps.db
    .transaction()
    .execute((trx) => deleteSessions(trx, customerId, hashToken(sessionToken)))
  forgetSessions(deps, ended)
  await recordEvent(deps, customerId, 'sessions-ended')
}
