import { StartError } from '#platform/start-error.ts'

/** PostgreSQL's refusals of a log-in (class 28), of a database that is not there, and all that the network may say. */
const CANNOT_CONNECT = /^(?:28|3D000|57P0|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET)/

/** A pooler that knows nothing of the limits that we set. */
const OF_POOLER = /^unsupported startup parameter/

/** What the operator reads when the database cannot be used; any other error as it came. */
export const databaseFault = (error: unknown, url: string): unknown => {
  // One failure per address that was tried comes as an AggregateError, which has its code all the same.
  const { code = '', message } = error as { code?: string; message: string }
  const { host, pathname } = new URL(url)
  if (OF_POOLER.test(message))
    return new StartError(
      `The pooler at ${host} refuses the limits of the shop's statements: ${message}. Set ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout there, and give both to the role: see docs/database.md.`,
    )
  return CANNOT_CONNECT.test(code)
    ? new StartError(
        `The database ${pathname.slice(1)} at ${host} cannot be used: ${message || code}. Check DATABASE_URL.`,
      )
    : error
}
