import type { AccountData } from '@hedgerow/contract/account-data'
import type { SecurityEventReply } from '@hedgerow/contract/sessions'
import { listAllEvents, listEventRows } from '#people/security-events/security-events.queries.ts'
import type { With } from '#platform/dependencies.ts'

const LISTED = 50

/** What happened to an account, the newest first, a page at a time. */
export const listSecurityEvents = async (
  { db }: With<'db'>,
  customerId: string,
  before?: string,
): Promise<{ events: SecurityEventReply[]; hasMore: boolean }> => {
  const rows = await listEventRows(db, customerId, { before, limit: LISTED + 1 })
  return {
    events: rows.slice(0, LISTED).map((row) => ({
      _id: row.id,
      kind: row.kind,
      browser: row.browser,
      network: row.network,
      times: row.times,
      at: row.created_at.toISOString(),
      lastAt: row.last_at.toISOString(),
    })),
    hasMore: rows.length > LISTED,
  }
}

/** All that are kept, the oldest first. */
export const eventsForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<AccountData['securityEvents']> =>
  (await listAllEvents(db, customerId)).map((row) => ({
    kind: row.kind,
    browser: row.browser,
    network: row.network,
    times: row.times,
    at: row.created_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    mailTo: row.mail_to,
  }))
