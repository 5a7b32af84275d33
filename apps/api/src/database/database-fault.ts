import { StartError } from '#start-error.ts'

/** PostgreSQL's refusals of a log-in (class 28), of a database that is not there, and all that the network may say. */
const CANNOT_CONNECT = /^(?:28|3D000|57P0|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET)/

/** What the operator is told when the database cannot be used; any other error as it came. */
export const databaseFault = (error: unknown, url: string): unknown => {
  // One failure per address that was tried comes as an AggregateError, which has its code all the same.
  const { code = '', message } = error as { code?: string; message: string }
  const { host, pathname } = new URL(url)
  return CANNOT_CONNECT.test(code)
    ? new StartError(
        `The database ${pathname.slice(1)} at ${host} cannot be used: ${message || code}. Check DATABASE_URL.`,
      )
    : error
}
