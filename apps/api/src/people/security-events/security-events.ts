import { isCounted, isMailed, mayBeMailed, type SecurityEvent } from '@hedgerow/domain/security-events'
import {
  addressMail,
  countEvent,
  insertEvent,
  insertLogInAgain,
} from '#people/security-events/security-events.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { visitor, visitorToTell } from '#platform/http/visitor.ts'
import { addJob } from '#platform/queue/add-job.ts'

export {
  deleteOldEvents,
  type EventRow,
  listEventRows,
} from '#people/security-events/security-events.queries.ts'

/** What is logged and counted, and kept nowhere: with the account, its events are gone. */
type LoggedEvent = SecurityEvent | 'account-erased'

/** Logs and counts it, with the caller as coarsely as it is kept: alerts are made from it. */
export const logEvent = (
  { log, meters }: With<'log' | 'meters'>,
  customerId: string,
  kind: LoggedEvent,
): void => {
  meters.securityEvent(kind)
  log.info({ securityEvent: kind, customerId, ...visitor() }, 'security event')
}

const write = async (db: Db, customerId: string, kind: SecurityEvent): Promise<boolean> => {
  const row = await (isCounted(kind) ? countEvent : insertEvent)(db, customerId, kind, visitorToTell())
  if (row && isMailed(kind, row.times)) {
    await addressMail(db, row.id)
    await addJob(db, 'mail-security-change', { customerId, eventId: row.id })
  }
  return row !== undefined
}

/** Keeps what happened to an account, and queues the mail that tells of it. False for one that is gone, or never was. */
export const keepEvent = (db: Db, customerId: string, kind: SecurityEvent): Promise<boolean> =>
  // Without a mail it is one statement.
  db.isTransaction || !mayBeMailed(kind)
    ? write(db, customerId, kind)
    : db.transaction().execute((trx) => write(trx, customerId, kind))

/**
 * Notes what happened to an account: kept, mailed where its owner should hear of it, logged and counted; in a
 * transaction of the caller's where `db` is one. There it comes last, because what was logged is not taken back with the
 * rest. And what is refused by throwing is noted outside of it (020).
 */
export const recordEvent = async (
  { db, ...deps }: With<'db' | 'log' | 'meters'>,
  customerId: string,
  kind: SecurityEvent,
): Promise<void> => {
  if (await keepEvent(db, customerId, kind)) logEvent(deps, customerId, kind)
}

/** The same where the answer must not take longer for an account that exists than for one that does not. */
export const recordEventLater = (
  { later, ...deps }: With<'db' | 'later' | 'log' | 'meters'>,
  customerId: string,
  kind: SecurityEvent,
): void => later.run('security event', () => recordEvent(deps, customerId, kind))

/**
 * A customer has logged in. A log-in from a browser that does not know the account, and that is like none it was used from in 90
 * days, is one to mail of.
 */
export const recordLogIn = async (
  deps: With<'db' | 'log' | 'meters'>,
  customerId: string,
  isKnownBrowser: boolean,
): Promise<void> => {
  if (isKnownBrowser) return recordEvent(deps, customerId, 'log-in')
  if (await insertLogInAgain(deps.db, customerId, visitor())) return logEvent(deps, customerId, 'log-in')
  await recordEvent(deps, customerId, 'new-browser')
}
