import { REFUSED_EVENTS, type SecurityEvent } from '@hedgerow/domain/security-events'
import type { With } from '#dependencies.ts'
import { visitor } from '#http/visitor.ts'
import { countEvent, insertEvent } from '#security-events/security-events.queries.ts'

export { deleteOldEvents } from '#security-events/security-events.queries.ts'

type Deps = With<'db' | 'log' | 'meters'>

const isRefused = (kind: SecurityEvent): boolean => (REFUSED_EVENTS as readonly string[]).includes(kind)

/**
 * Notes what happened to an account, with who calls as coarsely as it is kept; in a transaction of the caller's where `db`
 * is one. Told in the log and counted, too: what alerts hang on.
 */
export const recordEvent = async (
  { db, log, meters }: Deps,
  customerId: string,
  kind: SecurityEvent,
): Promise<void> => {
  const from = visitor()
  await (isRefused(kind) ? countEvent : insertEvent)(db, customerId, kind, from)
  meters.securityEvent(kind)
  log.info({ securityEvent: kind, customerId, ...from }, 'security event')
}

/** The same where the answer must not take longer for an account that exists than for one that does not. */
export const recordEventLater = (deps: Deps, customerId: string, kind: SecurityEvent): void => {
  recordEvent(deps, customerId, kind).catch((error: unknown) =>
    deps.log.error({ err: error, securityEvent: kind }, 'a security event was not recorded'),
  )
}
